// What was answered under an idempotency key. Written in the transaction of the change, kept for 24 hours.

import type { Clock } from '#daemon/kernel/clock.ts';
import { type Claim, internalContext } from '#daemon/kernel/context.ts';
import type { AnswerStore } from '#daemon/kernel/invoke.ts';
import { LociError } from '#shared/errors.ts';
import type { Database, Trx } from './sqlite.ts';

/** How long a key is remembered: 24 hours. */
export const answerLifetimeMs = 24 * 60 * 60 * 1000;

/** Larger answers are kept without the ends of their texts, or with ids and outcomes alone: enough to repeat. */
const maxAnswerBytes = 64 * 1024;
/** How much of each text such an answer keeps. */
const maxKeptText = 200;

export function createAnswerStore(database: Database, clock: Clock): AnswerStore {
  return {
    async recorded(claim) {
      const row = await database.db
        .selectFrom('idempotent_answers')
        .select(['operation', 'body_hash', 'answer'])
        .where('user_id', '=', claim.userId)
        .where('key', '=', claim.key)
        .where('created_at', '>', clock.now() - answerLifetimeMs)
        .executeTakeFirst();
      if (row === undefined) return null;
      if (row.body_hash !== claim.bodyHash || row.operation !== claim.operation) {
        throw new LociError(
          'conflict',
          'This idempotency key was used with another body: use a new key for a new change.',
          {
            idempotency_key: claim.key,
          },
        );
      }
      return { answer: JSON.parse(row.answer) as unknown };
    },
    async record(claim, answer) {
      const row = await database.db
        .selectFrom('idempotent_answers')
        .select('answer')
        .where('user_id', '=', claim.userId)
        .where('key', '=', claim.key)
        .where('created_at', '>', clock.now() - answerLifetimeMs)
        .executeTakeFirst();
      if (row !== undefined && !saysMore(answer, row.answer)) return;
      await database.write(internalContext, (trx) => recordAnswer(trx, claim, answer, clock.now()));
    },
  };
}

/** Stores `answer` under the claim's key, in the caller's transaction. */
export async function recordAnswer(trx: Trx, claim: Claim, answer: unknown, nowMs: number): Promise<void> {
  const row = {
    operation: claim.operation,
    body_hash: claim.bodyHash,
    thing_id: thingOf(answer),
    answer: keepable(answer),
    created_at: nowMs,
  };
  await trx
    .insertInto('idempotent_answers')
    .values({ user_id: claim.userId, key: claim.key, ...row })
    .onConflict((conflict) => conflict.columns(['user_id', 'key']).doUpdateSet(row))
    .execute();
}

function thingOf(answer: unknown): number | null {
  const id = (answer as { id?: unknown } | null)?.id;
  return typeof id === 'number' ? id : null;
}

function keepable(answer: unknown): string {
  const whole = JSON.stringify(answer ?? null);
  if (Buffer.byteLength(whole) <= maxAnswerBytes) return whole;
  const cut = JSON.stringify(answer, (_key, value: unknown) =>
    typeof value === 'string' ? beginningOf(value) : value,
  );
  return Buffer.byteLength(cut) <= maxAnswerBytes ? cut : JSON.stringify(answer, bareMembers);
}

/** Of the members of a list what tells them apart and what became of them; of the rest the form without what it held. */
function bareMembers(_key: string, value: unknown): unknown {
  if (!Array.isArray(value)) return typeof value === 'string' ? beginningOf(value) : value;
  return value.map((member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    const fields = Object.entries(member).flatMap(([name, held]): [string, unknown][] => {
      if (Array.isArray(held)) return name === 'warnings' ? [[name, []]] : [];
      if (typeof held === 'string') return [[name, held.length <= maxBareText ? held : null]];
      return typeof held === 'object' && held !== null && name !== 'error' ? [] : [[name, held]];
    });
    return Object.fromEntries(fields);
  });
}

/** Outcomes are shorter; names of projects are left out where they are longer. */
const maxBareText = 10;

function saysMore(answer: unknown, stored: string): boolean {
  const known = countRemarks(JSON.parse(stored));
  return countRemarks(answer) > known && countRemarks(JSON.parse(keepable(answer))) > known;
}

/** What a policy says of a write that stands comes after its transaction, in which the answer was recorded. */
function countRemarks(answer: unknown): number {
  if (typeof answer !== 'object' || answer === null) return 0;
  const { plugin_warnings, warnings, results } = answer as Record<string, unknown>;
  const own = [plugin_warnings, warnings].reduce<number>(
    (sum, list) => sum + (Array.isArray(list) ? list.length : 0),
    0,
  );
  return own + (Array.isArray(results) ? results.reduce<number>((sum, result) => sum + countRemarks(result), 0) : 0);
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** At most 200 UTF-16 units, never cut inside a character. */
function beginningOf(text: string): string {
  if (text.length <= maxKeptText) return text;
  let end = 0;
  for (const { index, segment } of graphemes.segment(text.slice(0, 2 * maxKeptText))) {
    if (index + segment.length > maxKeptText) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}

/**
 * Takes what was answered about an erased thing out of the store; where answers about others of its kind quote it, its texts go and they stay.
 * Ids of different kinds overlap; which kind an answer is about, the name of its operation tells: `update_document`.
 */
export async function forgetAnswers(trx: Trx, kind: string, thingId: number): Promise<void> {
  const named = `%${stems[kind] ?? kind}%`;
  await trx
    .deleteFrom('idempotent_answers')
    .where('thing_id', '=', thingId)
    .where('operation', 'like', named)
    .execute();
  const quoting = await trx
    .selectFrom('idempotent_answers')
    .select(['user_id', 'key', 'answer'])
    .where('operation', 'like', named)
    .where('answer', 'like', `%"id":${thingId},%`)
    .execute();
  await rewriteAnswers(trx, quoting, (_field, value) => withoutTextsOf(thingId, value));
}

type KeptAnswer = { readonly user_id: number; readonly key: string; readonly answer: string };

/** Puts answers back with every value of theirs as `change` gives it (the second argument of `JSON.stringify`). */
export async function rewriteAnswers(
  trx: Trx,
  answers: readonly KeptAnswer[],
  change: (field: string, value: unknown) => unknown,
): Promise<void> {
  for (const { user_id, key, answer } of answers) {
    await trx
      .updateTable('idempotent_answers')
      .set({ answer: JSON.stringify(JSON.parse(answer), change) })
      .where('user_id', '=', user_id)
      .where('key', '=', key)
      .execute();
  }
}

/** What singular and plural of a kind's name share, where that is not the singular. */
const stems: Readonly<Record<string, string>> = { memory: 'memor', entity: 'entit' };

/** Fields in which one answer shows the words of another thing. */
const quotedTexts = ['title', 'keywords', 'tags', 'obsolete_reason'];

function withoutTextsOf(thingId: number, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('id' in value) || value.id !== thingId) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, given]) => [field, quotedTexts.includes(field) ? erased(given) : given]),
  );
}

function erased(text: unknown): unknown {
  if (Array.isArray(text)) return [];
  return typeof text === 'string' ? '(erased)' : text;
}
