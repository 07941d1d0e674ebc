// What can be done to memories, each with its way back. The last action stays undoable until the next one; an erasure has no way back.
import type { memoryArchive, memoryPurge, memoryUpdate } from '#shared/contract/lifecycle.ts';
import type { InputOf } from '#shared/contract/operation.ts';
import { call } from './api.ts';
import { noteOwnChange } from './changes.ts';
import { message, tell } from './parts/messages.tsx';
import { noticeEnd } from './session.ts';

export type Change = Omit<InputOf<typeof memoryUpdate>, 'id' | 'idempotency_key'>;

type Undo = () => Promise<unknown>;

/** Does something to memories, tells what was done and how to undo it. Answers whether it was done. */
export async function act(ids: readonly number[], done: string, run: () => Promise<Undo | null>): Promise<boolean> {
  try {
    const undo = await run();
    tell(done, undo === null ? {} : { undo: () => void takeBack(ids, done, undo) });
    return true;
  } catch (error) {
    noticeEnd(error);
    tell(error instanceof Error ? error.message : String(error), { isFailure: true });
    return false;
  } finally {
    noteOwnChange(ids);
  }
}

/** Undoes the last action, if it can be. */
export function undoLast(): void {
  message.value?.undo?.();
}

async function takeBack(ids: readonly number[], done: string, undo: Undo): Promise<void> {
  message.value = null;
  await act(ids, `Undone: ${done}`, async () => {
    await undo();
    return null;
  });
}

export function archive(id: number): Promise<boolean> {
  return act([id], `Memory ${id} is archived.`, async () => {
    const { changed } = await call<typeof memoryArchive>('memory_archive', { id });
    return changed ? () => update(id, { status: 'active' }) : null;
  });
}

/** Brings back what is archived or obsolete. */
export function restore(id: number, from: 'archived' | 'obsolete'): Promise<boolean> {
  return act([id], `Memory ${id} is back.`, async () => {
    await update(id, { status: 'active' });
    return () => update(id, { status: from });
  });
}

export function pin(id: number, pinned: boolean): Promise<boolean> {
  return act([id], pinned ? `Memory ${id} is pinned.` : `Memory ${id} is no longer pinned.`, async () => {
    await update(id, { pinned });
    return () => update(id, { pinned: !pinned });
  });
}

/** Changes fields; `before` are the same fields as they were. */
export function edit(id: number, change: Change, before: Change): Promise<boolean> {
  return act([id], `Memory ${id} is saved.`, async () => {
    await update(id, change);
    return () => update(id, before);
  });
}

export function purge(ids: readonly number[]): Promise<boolean> {
  const what = ids.length === 1 ? `Memory ${ids[0]} is erased.` : `${ids.length} memories are erased.`;
  return act(ids, what, async () => {
    await forEach(ids, (id) => call<typeof memoryPurge>('memory_purge', { id }));
    return null;
  });
}

/** One change to many; those that it did not concern are left alone by the undo too. */
export function changeMany(ids: readonly number[], done: string, change: Change, back: Change): Promise<boolean> {
  return act(ids, `${ids.length} ${ids.length === 1 ? 'memory' : 'memories'} ${done}.`, async () => {
    await forEach(ids, (id) => update(id, change));
    return () => forEach(ids, (id) => update(id, back));
  });
}

export function update(id: number, change: Change): Promise<unknown> {
  return call<typeof memoryUpdate>('memory_update', { id, ...change });
}

/** A few at a time, so that the daemon still answers others. */
async function forEach(ids: readonly number[], run: (id: number) => Promise<unknown>): Promise<void> {
  const waiting = [...ids];
  const worker = async (): Promise<void> => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) await run(id);
  };
  await Promise.all(Array.from({ length: 4 }, worker));
}
