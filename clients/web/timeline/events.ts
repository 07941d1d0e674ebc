// The log of changes as the timeline holds it: newest first, more asked for when the reader comes near the end, and what happens
// meanwhile put on top. An event has a number of its own, so that one which comes both ways stands there once.
import { signal } from '@preact/signals';
import type { memoryList } from '#shared/contract/browse.ts';
import type { ActivityEvent, listActivity } from '#shared/contract/knowledge/activity.ts';
import type { InputOf } from '#shared/contract/operation.ts';
import { call } from '../api.ts';
import { noticeEnd } from '../session.ts';

export type Timeline = {
  readonly kind: string | null;
  readonly events: readonly ActivityEvent[];
  readonly total: number;
  readonly failed: string | null;
};

export const timeline = signal<Timeline | null>(null);

/** Titles of memories that events only name by their number. */
export const titles = signal<ReadonlyMap<number, string>>(new Map());

const pageSize = 100;
let isBusy = false;

/** Begins anew with one kind of thing, or all. */
export async function openTimeline(kind: string | null): Promise<void> {
  timeline.value = null;
  isBusy = false;
  await fetchMore(kind);
}

/** Asks for the next page, unless one is on its way. */
export async function fetchMore(kind: string | null): Promise<void> {
  if (isBusy) return;
  isBusy = true;
  const before = timeline.value?.kind === kind ? timeline.value : null;
  const input = {
    limit: pageSize,
    offset: before?.events.length ?? 0,
    ...(kind === null ? {} : { entity_type: kind }),
  };
  try {
    const page = await call<typeof listActivity>('list_activity', input as InputOf<typeof listActivity>);
    const events = merged(before?.events ?? [], page.events);
    timeline.value = { kind, events, total: page.total, failed: null };
    void nameMemories(page.events);
  } catch (error) {
    noticeEnd(error);
    const why = error instanceof Error ? error.message : String(error);
    timeline.value = { kind, events: before?.events ?? [], total: before?.total ?? 0, failed: why };
  } finally {
    isBusy = false;
  }
}

/** An event that has just happened. */
export function addEvent(event: ActivityEvent): void {
  const now = timeline.value;
  if (now === null || (now.kind !== null && now.kind !== event.entity_type)) return;
  timeline.value = { ...now, events: merged(now.events, [event]), total: now.total + 1 };
  void nameMemories([event]);
}

function merged(a: readonly ActivityEvent[], b: readonly ActivityEvent[]): ActivityEvent[] {
  const bySeq = new Map([...a, ...b].map((event) => [event.seq, event]));
  return [...bySeq.values()].sort((x, y) => y.seq - x.seq);
}

async function nameMemories(events: readonly ActivityEvent[]): Promise<void> {
  const ids = events
    .filter((event) => event.entity_type === 'memory' && !titles.value.has(event.entity_id))
    .map((event) => event.entity_id);
  if (ids.length === 0) return;
  try {
    const { memories } = await call<typeof memoryList>('memory_list', { ids: [...new Set(ids)].slice(0, 200) });
    titles.value = new Map([...titles.value, ...memories.map((line) => [line.id, line.title] as const)]);
  } catch (error) {
    noticeEnd(error);
  }
}
