// Memories that are selected for doing one thing to all of them.
import { signal } from '@preact/signals';

export const picked = signal<ReadonlySet<number>>(new Set());

export function isPicked(id: number | undefined): boolean {
  return id !== undefined && picked.value.has(id);
}

export function togglePicked(id: number): void {
  const next = new Set(picked.value);
  if (!next.delete(id)) next.add(id);
  picked.value = next;
}
