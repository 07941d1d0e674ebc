// The only door to an operation, whatever the surface: read → parse → scope → idempotency → handler → output parse.
import { createHash } from 'node:crypto';
import type { Contract } from '#shared/contract/operation.ts';
import { LociError } from '#shared/errors.ts';
import type { CallContext, Claim } from './context.ts';
import { readArguments } from './read-arguments.ts';
import { issuesToError } from './refusals.ts';
import type { Registry } from './registry.ts';
import { isAllowed } from './scopes.ts';

/** Where answers given under an idempotency key are kept. */
export type AnswerStore = {
  /** The answer recorded under the key, or null. Throws `conflict` when the key was used with another body. */
  recorded(claim: Claim): Promise<{ answer: unknown } | null>;
  /** Records the answer unless the change's own transaction has. */
  record(claim: Claim, answer: unknown): Promise<void>;
};

/** The `cause` of an `unavailable` by which a transaction says that the answer of its key is recorded already. */
export const answeredElsewhere = 'answered_elsewhere';

export type InvokeDeps = { readonly registry: Registry; readonly answers: AnswerStore };

export type Invoke = (name: string, input: unknown, context: CallContext) => Promise<unknown>;

/** Builds the door. It rejects with a `LociError` only; anything else that a handler throws passes through for the edge to log. */
export function createInvoke(deps: InvokeDeps): Invoke {
  const underWay = new Map<string, Promise<unknown>>();

  return async (name, input, context) => {
    const operation = deps.registry.get(name);
    if (operation === undefined) throw unknownOperation(name, deps.registry.names());
    const { contract } = operation;
    if (!isAllowed(context.scopes, contract.scope)) {
      throw new LociError('forbidden', `'${name}' is not permitted: it needs the scope '${contract.scope}'.`);
    }
    const parsed = parseInput(contract, input);
    const claim = claimOf(contract, parsed, context);
    const run = async (): Promise<unknown> => {
      const output = await operation.handle(parsed as never, { ...context, claim });
      return contract.output.parse(output);
    };
    return claim === null ? run() : once(claim, run);
  };

  /** Runs a change once for its key: a key still under way waits, a key that was answered gives that answer. */
  async function once(claim: Claim, run: () => Promise<unknown>): Promise<unknown> {
    const slot = `${claim.userId}\n${claim.key}`;
    for (let other = underWay.get(slot); other !== undefined; other = underWay.get(slot)) {
      await other.catch(() => undefined);
    }
    const work = (async () => {
      const earlier = await deps.answers.recorded(claim);
      if (earlier !== null) return earlier.answer;
      const answer = await run().catch(async (error: unknown) => {
        const elsewhere = isAnsweredElsewhere(error) ? await deps.answers.recorded(claim) : null;
        if (elsewhere === null) throw error;
        return elsewhere.answer;
      });
      await deps.answers.record(claim, answer);
      return answer;
    })();
    underWay.set(slot, work);
    try {
      return await work;
    } finally {
      underWay.delete(slot);
    }
  }
}

/** In a team a repeated request may reach another daemon while the first one is still at it: its transaction finds the answer then. */
function isAnsweredElsewhere(error: unknown): boolean {
  return error instanceof LociError && error.details.cause === answeredElsewhere;
}

function parseInput(contract: Contract, input: unknown): Record<string, unknown> {
  const isPatch = contract.http?.some(({ method }) => method === 'PATCH') ?? false;
  const read = readArguments(contract.input, input, { nullIsAbsent: !isPatch });
  const result = contract.input.safeParse(read);
  if (!result.success) throw issuesToError(result.error.issues, contract.input, read);
  return result.data as Record<string, unknown>;
}

function claimOf(contract: Contract, parsed: Record<string, unknown>, context: CallContext): Claim | null {
  if (contract.hints.readOnly || contract.answerIsSecret === true) return null;
  const { idempotency_key: given, ...body } = parsed;
  const key = typeof given === 'string' && given !== '' ? given : context.idempotencyKey;
  if (key === null) return null;
  return { userId: context.userId, key, operation: contract.name, bodyHash: hashOf(body) };
}

/** SHA-256 of JSON with sorted keys: equal bodies give equal hashes whatever the order of their fields. */
function hashOf(body: unknown): string {
  const sorted = (_key: string, value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return createHash('sha256').update(JSON.stringify(body, sorted)).digest('hex');
}

/** The `not_found` for a name that is no operation. */
export function unknownOperation(name: string, known: readonly string[]): LociError {
  const first = known.slice(0, 10).join(', ');
  return new LociError('not_found', `Tool '${name}' not found. Available tools (first 10): ${first}.`, {
    operation: name,
  });
}
