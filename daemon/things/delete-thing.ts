// Erased is erased: the row, its links, words, vectors, the texts in the change log and in stored answers, the write-ahead log, and the
// derived table. What it was linked to stays. Only a caller who asks for it gets here; no job does.
import type { CallContext } from '#daemon/kernel/context.ts';
import { commitChanges, eraseTraces } from '#daemon/memories/index.ts';
import { forgetAnswers } from '#daemon/storage/answers.ts';
import { eraseChangeTexts, recordChanges } from '#daemon/storage/change-log.ts';
import { markErasure } from '#daemon/storage/lance/lance-facts.ts';
import { removeLinks } from '#daemon/storage/thing-links.ts';
import { LociError } from '#shared/errors.ts';
import type { ThingDeps } from './deps.ts';
import { unfile } from './index-thing.ts';
import type { ThingKind, ThingRow } from './kind.ts';
import { missing } from './read-things.ts';
import { removeThing, thingById } from './things.repository.ts';

/** Erases a thing for good. Throws `not_found` for an id that is not the user's. */
export async function deleteThing<R extends ThingRow, X, Answer>(
  deps: ThingDeps,
  kind: ThingKind<R, X>,
  id: number,
  context: CallContext,
  answerOf: (id: number) => Answer,
): Promise<Answer> {
  const answer = await commitChanges<Answer>(deps, context, async (trx) => {
    const row = await thingById<R>(trx, kind, context.userId, id);
    if (row === null) throw missing(kind.noun, id);
    const vectors = await unfile(trx, kind, row, deps.embedder.modelId, deps.clock.now());
    await removeLinks(trx, { kind: kind.kind, id });
    await removeThing(trx, kind, id);
    await eraseChangeTexts(trx, kind.kind, id);
    await forgetAnswers(trx, kind.kind, id);
    if (vectors.length > 0) await markErasure(trx);
    const log = await recordChanges(trx, context, deps.clock, [{ kind: kind.kind, thingId: id, action: 'deleted' }]);
    return { answer: answerOf(id), vectors, log };
  });
  if (answer === 'look again') throw new LociError('internal', 'A deletion never looks again.');
  await eraseTraces(deps);
  return answer;
}
