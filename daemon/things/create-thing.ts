// The birth of a thing: secrets refused → embedded → ONE transaction (project checked, row, index, change log) → published → announced.
import type { CallContext } from '#daemon/kernel/context.ts';
import { commitChanges } from '#daemon/memories/index.ts';
import { refuseSecrets } from '#daemon/secrets/detect-secrets.ts';
import { recordChanges } from '#daemon/storage/change-log.ts';
import type { Trx } from '#daemon/storage/sqlite.ts';
import { LociError } from '#shared/errors.ts';
import type { ThingDeps } from './deps.ts';
import { file } from './index-thing.ts';
import type { Columns, ThingKind, ThingRow } from './kind.ts';
import { preparePieces } from './prepare-pieces.ts';
import { insertThing } from './things.repository.ts';

/** Stores a thing and answers with `answerOf`. Throws `not_found` for a project that is not the user's, `rejected_by_policy` for a secret. */
export async function createThing<R extends ThingRow, X, Answer>(
  deps: ThingDeps,
  kind: ThingKind<R, X>,
  { columns, extra }: { readonly columns: Columns<R>; readonly extra: X },
  context: CallContext,
  answerOf: (row: R) => Answer,
): Promise<Answer> {
  refuseSecrets(kind.secrets(columns, extra));
  const { search } = kind;
  const prepared = search === undefined ? null : await preparePieces(deps.embedder, search.pieces(columns));
  const answer = await commitChanges<Answer>(deps, context, async (trx) => {
    await requireProjectOf(deps, trx, context.userId, columns.project_id);
    const nowMs = deps.clock.now();
    const row = await insertThing<R>(trx, kind, columns, { userId: context.userId, nowMs });
    await kind.keepExtra?.(trx, row.id, extra);
    const vectors =
      search === undefined || prepared === null
        ? []
        : [await file(trx, { kind: kind.kind, search }, row, prepared, nowMs)];
    const log = await recordChanges(trx, context, deps.clock, [
      { kind: kind.kind, thingId: row.id, action: 'created', snapshot: { id: row.id, ...kind.logged(columns) } },
    ]);
    return { answer: answerOf(row), vectors, log };
  });
  if (answer === 'look again') throw new LociError('internal', 'A new thing never looks again.');
  return answer;
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
