// What a person makes of a text that is held back (judge-text.ts): the verdict, and taking it back.
import type { CallContext } from '#daemon/kernel/context.ts';
import { LociError } from '#shared/errors.ts';
import { archiveMemory } from '../archive.ts';
import type { MemoryDeps } from '../deps.ts';
import { keepQuarantined, type Quarantined, quarantinedById, type Verdict } from './quarantine.repository.ts';

/** In the words of the operations, because what the transaction answers is what the same key gets again. */
export type Judged = { readonly id: number; readonly verdict: Verdict; readonly reasons: string[] };

/** A person has read it: it may be injected. Throws `not_found`, and `forbidden` to an agent, which a poisoned memory could have told to ask. */
export async function releaseMemory(deps: MemoryDeps, id: number, context: CallContext): Promise<Judged> {
  refuseAgents(context);
  return deps.database.write(context, async (trx) => {
    const held = await requireQuarantined(trx, id, context);
    const released = { ...held, verdict: 'released', judgedAtMs: deps.clock.now() } as const;
    await keepQuarantined(trx, context.userId, released);
    return toWords(released);
  });
}

/** It was planted: it is archived and stays out. Throws `not_found`, and `forbidden` to an agent. */
export async function rejectMemory(deps: MemoryDeps, id: number, context: CallContext): Promise<Judged> {
  refuseAgents(context);
  await requireQuarantined(deps.database.db, id, context);
  await archiveMemory(deps, { id, reason: 'rejected in review: it speaks to the reader' }, { ...context, claim: null });
  return deps.database.write(context, async (trx) => {
    const held = await requireQuarantined(trx, id, context);
    const rejected = { ...held, verdict: 'rejected', judgedAtMs: deps.clock.now() } as const;
    await keepQuarantined(trx, context.userId, rejected);
    return toWords(rejected);
  });
}

/** Takes a verdict back. Anybody may: it only holds back. What a rejection archived stays archived. Throws `not_found`. */
export async function holdMemory(deps: MemoryDeps, id: number, context: CallContext): Promise<Judged> {
  return deps.database.write(context, async (trx) => {
    const judged = await requireQuarantined(trx, id, context);
    const held = { ...judged, verdict: 'held', judgedAtMs: null } as const;
    await keepQuarantined(trx, context.userId, held);
    return toWords(held);
  });
}

async function requireQuarantined(
  db: Parameters<typeof quarantinedById>[0],
  id: number,
  { userId }: CallContext,
): Promise<Quarantined> {
  const held = await quarantinedById(db, userId, id);
  if (held !== null) return held;
  throw new LociError('not_found', `Memory ${id} is not in quarantine.`, { id });
}

function toWords({ memoryId: id, verdict, reasons }: Quarantined): Judged {
  return { id, verdict, reasons: [...reasons] };
}

function refuseAgents({ transport }: CallContext): void {
  if (transport !== 'mcp') return;
  throw new LociError(
    'forbidden',
    'A person judges what is in quarantine: `loci quarantine list` shows it, on the command line or the page.',
  );
}
