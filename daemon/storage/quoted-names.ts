// A stored answer about a memory names the entities that it is linked to. Once an entity is erased, its name goes from there too.
import { rewriteAnswers } from './answers.ts';
import type { Trx } from './sqlite.ts';

/** Takes an erased entity's name out of every answer that is kept under an idempotency key. */
export async function eraseQuotedEntity(trx: Trx, entityId: number): Promise<void> {
  const quoting = await trx
    .selectFrom('idempotent_answers')
    .select(['user_id', 'key', 'answer'])
    .where('answer', 'like', `%"entities":[%{"id":${entityId},"name":%`)
    .execute();
  await rewriteAnswers(trx, quoting, (field, value) =>
    field === 'entities' && Array.isArray(value)
      ? value.filter((member) => (member as { id?: unknown } | null)?.id !== entityId)
      : value,
  );
}
