// What a memory is attached to besides projects and other memories: documents, code artifacts, files, skills. The rooms of those kinds
// stand above this one, so they tell it at start how to ask whether a thing exists.

import type { Queries, Trx } from '#daemon/storage/sqlite.ts';
import { linkedIdsOf, replaceLinks } from '#daemon/storage/thing-links.ts';
import { LociError } from '#shared/errors.ts';
import type { MemoryDeps } from './deps.ts';

export const attachableKinds = ['document', 'code_artifact', 'file', 'skill'] as const;
export type AttachableKind = (typeof attachableKinds)[number];

/** Ids by kind; a kind that is absent is left alone. */
export type Attachments = { readonly [K in AttachableKind]?: readonly number[] | undefined };

/** Answers which of the ids are the user's. */
export type Existing = (db: Queries, userId: number, ids: readonly number[]) => Promise<readonly number[]>;

/** By kind; a kind whose room does not exist has none. */
export type Attachable = { readonly [K in AttachableKind]?: Existing };

const names: Readonly<Record<AttachableKind | 'project', string>> = {
  project: 'Projects',
  document: 'Documents',
  code_artifact: 'Code artifacts',
  file: 'Files',
  skill: 'Skills',
};

/** Throws `not_found` naming the ids that do not exist. */
export async function requireAttachments(
  deps: Pick<MemoryDeps, 'projects' | 'attachable'>,
  db: Queries,
  userId: number,
  projectIds: readonly number[] | undefined,
  attachments: Attachments,
): Promise<void> {
  if (projectIds !== undefined) {
    const known = await deps.projects.byIds(db, userId, projectIds);
    refuseMissing('project', projectIds, [...known.keys()]);
  }
  for (const kind of attachableKinds) {
    const ids = attachments[kind] ?? [];
    if (ids.length > 0) refuseMissing(kind, ids, (await deps.attachable[kind]?.(db, userId, ids)) ?? []);
  }
}

function refuseMissing(kind: AttachableKind | 'project', asked: readonly number[], known: readonly number[]): void {
  const missing = asked.filter((id) => !known.includes(id));
  if (missing.length === 0) return;
  throw new LociError('not_found', `${names[kind]} not found: ${missing.join(', ')}.`, { [`${kind}_ids`]: missing });
}

/** Replaces the links of each kind that is given; answers whether any changed. */
export async function attach(
  trx: Trx,
  userId: number,
  memoryId: number,
  attachments: Attachments,
  nowMs: number,
): Promise<boolean> {
  let changed = false;
  for (const kind of attachableKinds) {
    const ids = attachments[kind];
    if (ids === undefined) continue;
    const { added, removed } = await replaceLinks(trx, userId, { kind: 'memory', id: memoryId }, kind, ids, nowMs);
    changed ||= added.length + removed.length > 0;
  }
  return changed;
}

/** Attached ids of many memories, by kind and memory. */
export async function attachmentsOf(
  db: Queries,
  memoryIds: readonly number[],
): Promise<Record<AttachableKind, Map<number, number[]>>> {
  const of = (kind: AttachableKind) => linkedIdsOf(db, 'memory', memoryIds, kind);
  const [document, code_artifact, file, skill] = [
    await of('document'),
    await of('code_artifact'),
    await of('file'),
    await of('skill'),
  ];
  return { document, code_artifact, file, skill };
}
