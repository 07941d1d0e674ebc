// Earlier versions of a memory, as history keeps them (a draft in JSON, other rows by id) and as an export tells them (its own words,
// other rows by uid). What a version refers to and is gone by now is left out: there is nothing left to point at.
import { msToInstant } from './fields.ts';
import { kindRows } from './kinds.ts';

export type Version = {
  readonly action: string;
  readonly agent: string | null;
  readonly from: string;
  readonly to: string;
  readonly snapshot: Readonly<Record<string, unknown>>;
};

type UidOf = (kind: 'project' | 'memory', id: number) => string | null;
type IdOf = (kind: 'project' | 'memory', uid: string) => Promise<number | null>;

/** Fields of the row that no version has: identity, counters and times of change. */
const notInVersions: ReadonlySet<string> = new Set([
  'provenance_class',
  'access_count',
  'last_accessed_at',
  'obsoleted_at',
  'created_at',
  'updated_at',
]);

/** Words of the export beside the keys of a draft. */
export const versionFields = kindRows.memory.fields
  .filter(({ word }) => !notInVersions.has(word))
  .map(({ word, type }) => ({ word, type, key: `${camelCase(word)}${type === 'time' ? 'Ms' : ''}` }));

export function snapshotToWords(json: string, uidOf: UidOf): Record<string, unknown> {
  const draft = JSON.parse(json) as Record<string, unknown>;
  const words: Record<string, unknown> = {};
  for (const { word, type, key } of versionFields) {
    const value = draft[key];
    if (value === undefined) continue;
    words[word] = type === 'time' && typeof value === 'number' ? msToInstant(value) : value;
  }
  const projects = (draft.projectIds as number[] | undefined) ?? [];
  words.projects = projects.flatMap((id) => uidOf('project', id) ?? []);
  words.superseded_by = typeof draft.supersededBy === 'number' ? uidOf('memory', draft.supersededBy) : null;
  return words;
}

export async function wordsToSnapshot(words: Readonly<Record<string, unknown>>, idOf: IdOf): Promise<string> {
  const draft: Record<string, unknown> = {};
  for (const { word, type, key } of versionFields) {
    const value = words[word];
    if (value === undefined) continue;
    draft[key] = type === 'time' && typeof value === 'string' ? Date.parse(value) : value;
  }
  const projectIds: number[] = [];
  for (const uid of (words.projects as string[] | undefined) ?? []) {
    const id = await idOf('project', uid);
    if (id !== null) projectIds.push(id);
  }
  draft.projectIds = projectIds;
  draft.supersededBy = typeof words.superseded_by === 'string' ? await idOf('memory', words.superseded_by) : null;
  return JSON.stringify(draft);
}

function camelCase(word: string): string {
  return word.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
