// What the list shows: everything, a page at a time, or what a search found. Typing sends the newest text as soon as the answer to
// the one before is there: never two at once, never a wait for the reader to stop, and no answer overtakes a later one.

import { signal } from '@preact/signals';
import type { memoryList } from '#shared/contract/browse.ts';
import type { memorySearch } from '#shared/contract/lifecycle.ts';
import type { InputOf, OutputOf } from '#shared/contract/operation.ts';
import { call } from '../api.ts';
import { noticeEnd } from '../session.ts';
import { countFacets, type Facets, fits } from './local-facets.ts';
import type { Line, Wanted } from './wanted.ts';

export type Hit = OutputOf<typeof memorySearch>['results'][number];

export type Row = {
  readonly id: number;
  readonly title: string;
  readonly excerpt: string;
  readonly type: string;
  readonly project: string | null;
  readonly updated_at: string;
  /** Null until the line has come, just after a search. */
  readonly line: Line | null;
  readonly hit: Hit | null;
};

export type Found = {
  readonly wanted: Wanted;
  /** Rows by their place; a place without one is still on its way. */
  readonly rows: ReadonlyMap<number, Row>;
  readonly total: number;
  readonly facets: Facets | null;
  /** What a search took by its own count; null where everything is listed. */
  readonly tookMs: number | null;
  readonly degraded: readonly string[];
  readonly hint: string | null;
  readonly failed: string | null;
};

export const found = signal<Found | null>(null);

const pageSize = 100;
/** The most that a search answers. */
export const searchLimit = 50;

let latest: Wanted | null = null;
let lastAsked: string | null = null;
let isBusy = false;

/** Makes the list show what is wanted, soon. What was asked for already in this `round` is not asked again; null always asks. */
export function find(wanted: Wanted, round: number | null): void {
  const asked = round === null ? null : `${round} ${JSON.stringify(wanted)}`;
  if (asked !== null && asked === lastAsked) return;
  lastAsked = asked;
  latest = wanted;
  if (!isBusy) void work();
}

async function work(): Promise<void> {
  isBusy = true;
  while (latest !== null) {
    const wanted: Wanted = latest;
    latest = null;
    try {
      await (wanted.query.trim() === '' ? list(wanted) : search(wanted));
    } catch (error) {
      noticeEnd(error);
      found.value = { ...nothing(wanted), failed: error instanceof Error ? error.message : String(error) };
    }
  }
  isBusy = false;
}

async function list(wanted: Wanted): Promise<void> {
  const page = await call<typeof memoryList>('memory_list', { ...filters(wanted), limit: pageSize });
  const facets = found.value?.facets ?? null;
  const rows = new Map(page.memories.map((line, index) => [index, lineToRow(line)]));
  found.value = { ...nothing(wanted), rows, total: page.total, facets };
  countSoon(wanted);
}

/** Counting reads every row, by the thread that searches for agents too: while others write it is done every few seconds only. */
const countAgainMs = 5_000;

let countedFor = '';
let countedAtMs = 0;
let counting: ReturnType<typeof setTimeout> | undefined;

function countSoon(wanted: Wanted): void {
  clearTimeout(counting);
  const waitMs = countedFor === JSON.stringify(wanted) ? Math.max(0, countedAtMs + countAgainMs - Date.now()) : 0;
  counting = setTimeout(() => void count(wanted).catch(noticeEnd), waitMs);
}

async function count(wanted: Wanted): Promise<void> {
  countedFor = JSON.stringify(wanted);
  countedAtMs = Date.now();
  const { facets } = await call<typeof memoryList>('memory_list', { ...filters(wanted), limit: 1, facets: true });
  const now = found.value;
  if (now !== null && JSON.stringify(now.wanted) === countedFor) found.value = { ...now, facets: facets ?? null };
}

async function search(wanted: Wanted): Promise<void> {
  const answer = await call<typeof memorySearch>('memory_search', {
    query: wanted.query,
    depth: 1,
    limit: searchLimit,
    explain: true,
    include_archived: wanted.status !== null && wanted.status !== 'active',
    ...(wanted.project === null ? {} : { project: wanted.project }),
    ...(wanted.type === null ? {} : { type: wanted.type as Line['type'] }),
  });
  const hits = answer.results.map(hitToRow);
  const told = { tookMs: answer.took_ms, degraded: answer.degraded, hint: answer.hint ?? null };
  const needsLines = wanted.tier !== null || wanted.status !== null || wanted.agent !== null || wanted.age !== null;
  if (!needsLines) {
    const facets = found.value?.facets ?? null;
    found.value = { ...nothing(wanted), ...told, rows: numbered(hits), total: hits.length, facets };
  }
  if (hits.length === 0) {
    found.value = { ...nothing(wanted), ...told, facets: countFacets([], wanted) };
    return;
  }
  const { memories } = await call<typeof memoryList>('memory_list', { ids: hits.map((hit) => hit.id), limit: 200 });
  const lines = new Map(memories.map((line) => [line.id, line]));
  const rows = hits.flatMap((row) => {
    const line = lines.get(row.id);
    return line === undefined ? [] : [{ ...row, line }];
  });
  const fitting = rows.filter((row) => fits(row.line, wanted));
  found.value = {
    ...nothing(wanted),
    ...told,
    rows: numbered(fitting),
    total: fitting.length,
    facets: countFacets(
      rows.map((row) => row.line),
      wanted,
    ),
  };
}

const onTheirWay = new Set<number>();

/** Fetches the pages of a whole list that hold these places and are not there yet. */
export function fetchRange(from: number, to: number): void {
  const now = found.value;
  if (now === null || now.wanted.query.trim() !== '') return;
  for (let page = Math.floor(from / pageSize); page * pageSize < Math.min(to, now.total); page += 1) {
    const offset = page * pageSize;
    if (now.rows.has(offset) || onTheirWay.has(offset)) continue;
    onTheirWay.add(offset);
    void call<typeof memoryList>('memory_list', { ...filters(now.wanted), limit: pageSize, offset })
      .then(({ memories, total }) => {
        const present = found.value;
        if (present === null || present.wanted !== now.wanted) return;
        const rows = new Map(present.rows);
        for (const [index, line] of memories.entries()) rows.set(offset + index, lineToRow(line));
        found.value = { ...present, rows, total };
      })
      .catch(noticeEnd)
      .finally(() => onTheirWay.delete(offset));
  }
}

function filters({ project, type, tier, status, agent, age, sort }: Wanted): InputOf<typeof memoryList> {
  const given = { project, type, tier, status, agent, age, sort };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}

function nothing(wanted: Wanted): Found {
  return { wanted, rows: new Map(), total: 0, facets: null, tookMs: null, degraded: [], hint: null, failed: null };
}

function numbered(rows: readonly Row[]): Map<number, Row> {
  return new Map(rows.map((row, index) => [index, row]));
}

function lineToRow(line: Line): Row {
  const { id, title, excerpt, type, project, updated_at } = line;
  return { id, title, excerpt, type, project, updated_at, line, hit: null };
}

function hitToRow(hit: Hit): Row {
  const { id, title, summary: excerpt, type, project, updated_at } = hit;
  return { id, title, excerpt, type, project, updated_at, line: null, hit };
}
