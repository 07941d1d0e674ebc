// The birth of a thing: secrets refused → embedded → ONE transaction (project checked, row, index, change log) → published → announced.
import type { CallContext } from '#daemon/kernel/context.ts';
import { commitChanges } from '#daemon/memories/index.ts';
import { refuseSecretsInTurns } from '#daemon/secrets/refuse-in-turns.ts';
import { type Change, recordChanges } from '#daemon/storage/change-log.ts';
import type { VectorChange } from '#daemon/storage/search-types.ts';
import type { Trx } from '#daemon/storage/sqlite.ts';
import { LociError } from '#shared/errors.ts';
import type { ThingDeps } from './deps.ts';
import { file } from './index-thing.ts';
import { type Columns, columnsOf, type ThingKind, type ThingRow } from './kind.ts';
import { type PreparedText, prepareText } from './prepare-text.ts';
import { insertThing } from './things.repository.ts';

type Draft<R extends ThingRow, X> = { readonly columns: Columns<R>; readonly extra: X };

/** Stores a thing and answers with `answerOf`. Throws `not_found` for a project that is not the user's, `rejected_by_policy` for a secret. */
export function createThing<R extends ThingRow, X, Answer>(
  deps: ThingDeps,
  kind: ThingKind<R, X>,
  draft: Draft<R, X>,
  context: CallContext,
  answerOf: (row: R) => Answer,
): Promise<Answer> {
  return createThings(deps, kind, [draft], context, ([row]) => answerOf(row as R));
}

/** The same for many, all or none. */
export async function createThings<R extends ThingRow, X, Answer>(
  deps: ThingDeps,
  kind: ThingKind<R, X>,
  drafts: readonly Draft<R, X>[],
  context: CallContext,
  answerOf: (rows: readonly R[]) => Answer,
): Promise<Answer> {
  for (const { columns, extra } of drafts) await refuseSecretsInTurns(kind.secrets(columns, extra));
  const births: Birth<R, X>[] = [];
  for (const draft of drafts) {
    const prepared = kind.search === undefined ? null : await prepareText(deps.embedder, kind.search, draft.columns);
    births.push({ ...draft, prepared });
  }
  const answer = await commitChanges<Answer>(deps, context, async (trx) => {
    const rows: R[] = [];
    const vectors: VectorChange[] = [];
    for (const birth of births) {
      const born = await bear(deps, trx, kind, birth, context);
      rows.push(born.row);
      vectors.push(...born.vectors);
    }
    const log = await recordChanges(
      trx,
      context,
      deps.clock,
      rows.map(
        (row): Change => ({
          kind: kind.kind,
          thingId: row.id,
          action: 'created',
          snapshot: { id: row.id, ...kind.logged(columnsOf(row)) },
        }),
      ),
    );
    return { answer: answerOf(rows), vectors, log };
  });
  if (answer === 'look again') throw new LociError('internal', 'A new thing never looks again.');
  return answer;
}

type Birth<R extends ThingRow, X> = Draft<R, X> & { readonly prepared: PreparedText | null };

async function bear<R extends ThingRow, X>(
  deps: ThingDeps,
  trx: Trx,
  kind: ThingKind<R, X>,
  { columns, extra, prepared }: Birth<R, X>,
  context: CallContext,
): Promise<{ row: R; vectors: VectorChange[] }> {
  const { search } = kind;
  const nowMs = deps.clock.now();
  await requireProjectOf(deps, trx, context.userId, columns.project_id);
  await kind.check?.(trx, context.userId, columns, null);
  const row = await insertThing<R>(trx, kind, columns, { userId: context.userId, nowMs });
  await kind.keepExtra?.(trx, row.id, extra);
  if (search === undefined || prepared === null) return { row, vectors: [] };
  return { row, vectors: [await file(trx, { kind: kind.kind, search }, row, prepared, nowMs)] };
}

/** Throws `not_found` for a project that is not the user's. */
export async function requireProjectOf(
  deps: Pick<ThingDeps, 'projects'>,
  trx: Trx,
  userId: number,
  projectId: number | null,
): Promise<void> {
  if (projectId === null || (await deps.projects.byIds(trx, userId, [projectId])).has(projectId)) return;
  throw new LociError('not_found', `Project ${projectId} not found.`, { project_id: projectId });
}
