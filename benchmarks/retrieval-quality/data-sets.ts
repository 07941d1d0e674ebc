// Reads the evaluation data (JSON Lines, outside the repository) as memories that a user could have saved and questions with known answers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type BenchMemory = {
  readonly docId: string;
  readonly scope: string;
  readonly content: string;
  readonly title?: string;
  readonly concepts?: string[];
  readonly tags?: string[];
  readonly files?: string[];
  readonly author?: string;
  readonly session?: string;
  readonly sequence?: number;
  readonly occurredAtMs?: number;
};

export type BenchQuery = {
  readonly id: string;
  readonly scope: string;
  readonly text: string;
  readonly relevant: readonly string[];
  readonly category: string;
  readonly stale?: readonly string[];
};

export type DataSet = { readonly name: string; readonly memories: BenchMemory[]; readonly queries: BenchQuery[] };

type Meta = {
  readonly title?: string;
  readonly keywords?: string[];
  readonly tags?: string[];
  readonly files?: string[];
  readonly speaker?: string;
  readonly session?: string | number;
  readonly turn?: number;
  readonly date?: string;
};
type Line = { readonly id: string; readonly scope: string; readonly text: string; readonly meta: Meta };

/** Folder of each set by the name that the command line knows. */
export const dataSetFolders: Readonly<Record<string, string>> = {
  locomo: 'locomo-dev',
  cosqa: 'cosqa2k',
  cranfield: 'cranfield',
  agentmem240: 'agentmem240',
  devbench: 'devbench',
  codinglife: 'codinglife',
  'smoke-update': 'smoke-update',
};

/** Blank documents are left out, and so are queries without a right answer and the questions of LoCoMo that were written to have none. */
export function readDataSet(bench: string, name: string): DataSet {
  const folder = join(bench, dataSetFolders[name] ?? name);
  const memories = readLines<Line>(join(folder, 'corpus.jsonl'))
    .filter(({ text }) => text.trim() !== '')
    .map(toMemory);
  const queries = readLines<BenchQuery>(join(folder, 'queries.jsonl')).filter(
    ({ relevant, category }) => relevant.length > 0 && category !== 'adversarial',
  );
  return { name, memories, queries };
}

function toMemory({ id, scope, text, meta }: Line): BenchMemory {
  const occurredAtMs = meta.date === undefined ? null : dateToMs(meta.date);
  return {
    docId: id,
    scope,
    content: text,
    ...(meta.title === undefined || meta.title.trim() === '' ? {} : { title: meta.title.slice(0, 200) }),
    ...(meta.keywords === undefined ? {} : { concepts: meta.keywords }),
    ...(meta.tags === undefined ? {} : { tags: meta.tags }),
    ...(meta.files === undefined ? {} : { files: meta.files }),
    ...(meta.speaker === undefined ? {} : { author: meta.speaker }),
    ...(meta.session === undefined ? {} : { session: `${scope}/${meta.session}` }),
    ...(meta.turn === undefined ? {} : { sequence: meta.turn }),
    ...(occurredAtMs === null ? {} : { occurredAtMs }),
  };
}

/** ISO, or the spelling of LoCoMo: `1:56 pm on 8 May, 2023`, read in the local zone. */
function dateToMs(date: string): number | null {
  const spoken = /^(\d+):(\d+) (am|pm) on (.+)$/.exec(date);
  if (spoken === null) return Number.isNaN(Date.parse(date)) ? null : Date.parse(date);
  const [, hour, minute, half, day] = spoken as unknown as [string, string, string, string, string];
  const dayMs = Date.parse(day.replace(',', ''));
  const hours = (Number(hour) % 12) + (half === 'pm' ? 12 : 0);
  return Number.isNaN(dayMs) ? null : dayMs + (hours * 60 + Number(minute)) * 60_000;
}

function readLines<T>(file: string): T[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T);
}
