// What has changed, here or (as the stream of events tells) anywhere, so that views ask anew. Lists look at every change; the open
// memory at its own alone, because reading it counts as an access.
import { signal } from '@preact/signals';

export const changes = signal(0);

/** How often each memory was seen to change. */
export const memoryChanges = signal<ReadonlyMap<number, number>>(new Map());

const notedAtMs = new Map<number, number>();

/** Changes come in crowds (an import, a clean-up): lists are asked anew once for each. */
const gatherMs = 400;
/** What was done here comes back by the stream of events; the memory is not read a second time for that. */
const echoMs = 3_000;

let waiting: ReturnType<typeof setTimeout> | undefined;

/** Something was done on this page: shown at once. */
export function noteOwnChange(ids: readonly number[]): void {
  for (const id of ids) notedAtMs.set(id, Date.now());
  grow(ids);
  changes.value += 1;
}

/** Something happened, by a page or by somebody else: shown soon. */
export function noteEvent(memoryId: number | null, byPage: boolean): void {
  if (memoryId !== null && !(byPage && isEcho(memoryId))) grow([memoryId]);
  if (waiting !== undefined) return;
  waiting = setTimeout(showChanges, gatherMs);
}

/** A tab that nobody sees asks for nothing until it is seen. */
function showChanges(): void {
  waiting = undefined;
  if (document.hidden) document.addEventListener('visibilitychange', showChanges, { once: true });
  else changes.value += 1;
}

function isEcho(memoryId: number): boolean {
  return Date.now() - (notedAtMs.get(memoryId) ?? 0) < echoMs;
}

function grow(ids: readonly number[]): void {
  const next = new Map(memoryChanges.value);
  for (const id of ids) next.set(id, (next.get(id) ?? 0) + 1);
  memoryChanges.value = next;
}
