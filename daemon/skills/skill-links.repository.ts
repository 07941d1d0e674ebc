// Ids and uids of what skills are linked to. Links themselves are storage's (thing-links.ts).

import { sql } from 'kysely';
import { isOfUser } from '#daemon/storage/of-user.ts';
import type { Queries } from '#daemon/storage/sqlite.ts';
import { linkedIds } from '#daemon/storage/thing-links.ts';
import { type LinkedUids, linkedKinds } from './kept-fields.ts';

type LinkedKind = (typeof linkedKinds)[number];

const tables = {
  memory: 'memories',
  file: 'files',
  code_artifact: 'code_artifacts',
  document: 'documents',
} as const satisfies Record<LinkedKind, string>;

/** Ids of the user's things that have these uids, ascending. */
export async function idsByUid(
  db: Queries,
  kind: LinkedKind,
  userId: number,
  uids: readonly string[],
): Promise<number[]> {
  if (uids.length === 0) return [];
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM ${sql.table(tables[kind])} WHERE uid IN (${sql.join(uids)}) AND user_id = ${userId} ORDER BY id`.execute(
    db,
  );
  return rows.map((row) => row.id);
}

/** Uids of everything a skill is linked to, by kind. */
export async function linkedUids(db: Queries, skillId: number): Promise<LinkedUids> {
  const uids: Record<string, string[]> = {};
  for (const kind of linkedKinds) {
    const ids = await linkedIds(db, { kind: 'skill', id: skillId }, kind);
    if (ids.length === 0) continue;
    const { rows } = await sql<{ uid: string }>`
      SELECT uid FROM ${sql.table(tables[kind])} WHERE id IN (${sql.join(ids)}) ORDER BY uid`.execute(db);
    uids[kind] = rows.map((row) => row.uid);
  }
  return uids;
}

export type LinkedSkill = { readonly id: number; readonly name: string; readonly description: string };

/** A user's skills by id. */
export async function skillNames(db: Queries, userId: number, ids: readonly number[]): Promise<LinkedSkill[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('skills')
    .select(['id', 'name', 'description'])
    .where('id', 'in', ids)
    .where(isOfUser(userId))
    .orderBy('id')
    .execute();
}
