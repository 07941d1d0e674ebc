// Changing a thing in place. Absent leaves alone, null clears, [] empties; a patch that changes nothing is a success that moves nothing.
import type { CallContext } from '#daemon/kernel/context.ts';
import { commitChanges } from '#daemon/memories/index.ts';
import { refuseSecretsInTurns } from '#daemon/secrets/refuse-in-turns.ts';
import { recordChanges } from '#daemon/storage/change-log.ts';
import type { VectorChange } from '#daemon/storage/search-types.ts';
import type { Trx } from '#daemon/storage/sqlite.ts';
import { LociError } from '#shared/errors.ts';
import { requireProjectOf } from './create-thing.ts';
import type { ThingDeps } from './deps.ts';
import { file, refile } from './index-thing.ts';
import { type Columns, columnsOf, type ThingKind, type ThingRow } from './kind.ts';
import { type PreparedText, prepareText } from './prepare-text.ts';
import { missing, requireThing } from './read-things.ts';
import { thingById, updateThing } from './things.repository.ts';

export type Change<R extends ThingRow, X> = {
  readonly id: number;
  /** Makes the new columns from the present ones; throws `invalid_input` for what cannot be. */
  readonly apply: (present: R) => { readonly columns: Columns<R>; readonly extra: X };
};

type Differences = Record<string, { readonly old: unknown; readonly new: unknown }>;

const maxAttempts = 5;

/** Applies a change and answers the thing as it is then. Throws `not_found` for an id that is not the user's. */
export async function changeThing<R extends ThingRow, X, Answer>(
  deps: ThingDeps,
  kind: ThingKind<R, X>,
  change: Change<R, X>,
  context: CallContext,
  answerOf: (row: R) => Answer,
): Promise<Answer> {
  const { id } = change;
  // changes of one thing wait for each other; the end of its project does not wait, so what was read is checked all the same
  return deps.mutex.run([`${context.userId}\n${kind.kind}\n${id}`], async () => {
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const answer = await tryChange(deps, kind, change, context, answerOf);
      if (answer !== 'look again') return answer;
    }
    throw new LociError('conflict', `${kind.noun} ${id} is being changed by others: read it again and repeat.`, { id });
  });
}

async function tryChange<R extends ThingRow, X, Answer>(
  deps: ThingDeps,
  kind: ThingKind<R, X>,
  { id, apply }: Change<R, X>,
  context: CallContext,
  answerOf: (row: R) => Answer,
): Promise<Answer | 'look again'> {
  const before = await requireThing<R>(deps.database.db, kind, context.userId, id);
  const { columns, extra } = apply(before);
  await refuseSecretsInTurns(kind.secrets(columns, extra));
  const changes = differences(kind.logged(columnsOf(before)), kind.logged(columns));
  const { search } = kind;
  const isReworded = wordsOf(kind, columns) !== wordsOf(kind, columnsOf(before));
  const prepared = search !== undefined && isReworded ? await prepareText(deps.embedder, search, columns) : null;

  return commitChanges<Answer>(deps, context, async (trx) => {
    const present = await thingById<R>(trx, kind, context.userId, id);
    if (present === null) throw missing(kind.noun, id);
    if (isOther(before, present)) return 'look again';
    if (Object.keys(changes).length === 0) return { answer: answerOf(present), vectors: [], log: [] };
    await requireProjectOf(deps, trx, context.userId, columns.project_id);
    await kind.check?.(trx, context.userId, columns, id);
    const nowMs = deps.clock.now();
    const row = await updateThing<R>(trx, kind, id, columns, nowMs);
    await kind.keepExtra?.(trx, id, extra);
    const vectors = await reindex(deps, trx, kind, row, { prepared, moved: 'project_id' in changes, nowMs });
    const log = await recordChanges(trx, context, deps.clock, [
      { kind: kind.kind, thingId: id, action: 'updated', changes },
    ]);
    return { answer: answerOf(row), vectors, log };
  });
}

async function reindex<R extends ThingRow, X>(
  deps: ThingDeps,
  trx: Trx,
  { kind, search }: ThingKind<R, X>,
  row: R,
  how: { readonly prepared: PreparedText | null; readonly moved: boolean; readonly nowMs: number },
): Promise<VectorChange[]> {
  const { prepared, moved, nowMs } = how;
  if (search !== undefined && prepared !== null) return [await file(trx, { kind, search }, row, prepared, nowMs)];
  if (search === undefined || !moved) return [];
  return refile(trx, { kind, search }, row, deps.embedder.modelId, nowMs);
}

/** Everything that is indexed or embedded, as one text to compare by. */
function wordsOf<R extends ThingRow, X>({ search }: ThingKind<R, X>, columns: Columns<R>): string {
  return search === undefined ? '' : JSON.stringify([search.words(columns), search.pieces(columns)]);
}

/** Whether any column differs: every column holds a text, a number or null. */
function isOther<R extends ThingRow>(before: R, present: R): boolean {
  return Object.entries(present).some(([column, value]) => value !== before[column as keyof R]);
}

/** Fields that differ, old and new. */
export function differences(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Differences {
  return Object.fromEntries(
    Object.keys(after)
      .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
      .map((field) => [field, { old: before[field], new: after[field] }]),
  );
}
