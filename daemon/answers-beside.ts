// Answers of the operations that work beside the store, under their idempotency keys. In memory: the store may be closed, or another one
// by the time the answer is given, and a restore that is asked for again by a new process is as good done twice.
import type { Clock } from '#daemon/kernel/clock.ts';
import type { Claim } from '#daemon/kernel/context.ts';
import type { AnswerStore } from '#daemon/kernel/invoke.ts';
import { LociError } from '#shared/errors.ts';

const lifetimeMs = 24 * 60 * 60 * 1000;
const maxKept = 200;

export function createAnswersBeside(clock: Clock): AnswerStore {
  const kept = new Map<string, { readonly claim: Claim; readonly answer: unknown; readonly atMs: number }>();
  const slotOf = ({ userId, key }: Claim) => `${userId}\n${key}`;
  return {
    async recorded(claim) {
      const found = kept.get(slotOf(claim));
      if (found === undefined || found.atMs < clock.now() - lifetimeMs) return null;
      if (found.claim.bodyHash !== claim.bodyHash || found.claim.operation !== claim.operation) {
        throw new LociError('conflict', 'This idempotency key was used with another body: use a new key.', {
          idempotency_key: claim.key,
        });
      }
      return { answer: found.answer };
    },
    async record(claim, answer) {
      kept.set(slotOf(claim), { claim, answer, atMs: clock.now() });
      const [oldest] = kept.keys();
      if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
    },
  };
}
