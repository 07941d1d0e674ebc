// Text that commands the reader is held back from injection until a person has judged it. The verdict is on the text: when that changes, it is
// judged anew, so that nobody gets one text released and then puts another in its place.
import { createHash } from 'node:crypto';
import type { CallContext } from '#daemon/kernel/context.ts';
import type { Trx } from '#daemon/storage/sqlite.ts';
import { suspicionsOf } from '#daemon/trust/suspicious-text.ts';
import { LociError } from '#shared/errors.ts';
import { archiveMemory } from '../archive.ts';
import type { MemoryDeps } from '../deps.ts';
import type { Memory } from '../memory.ts';
import { dropQuarantined, keepQuarantined, type Quarantined, quarantinedById } from './quarantine.repository.ts';

/** Judges a new or reworded memory in the transaction that stores it. */
export async function judgeText(trx: Trx, memory: Memory, nowMs: number): Promise<void> {
  const text = judgedText(memory);
  const reasons = suspicionsOf(text);
  const known = await quarantinedById(trx, memory.userId, memory.id);
  if (reasons.length === 0) {
    if (known !== null) await dropQuarantined(trx, memory.id);
    return;
  }
  const contentHash = createHash('sha256').update(text).digest('hex');
  if (known?.contentHash === contentHash) return;
  const held = {
    memoryId: memory.id,
    contentHash,
    reasons,
    verdict: 'held',
    foundAtMs: nowMs,
    judgedAtMs: null,
  } as const;
  await keepQuarantined(trx, memory.userId, held);
}

/** A person has read it: it may be injected. Throws `not_found`, and `forbidden` to an agent, which a poisoned memory could have told to ask. */
export async function releaseMemory(deps: MemoryDeps, id: number, context: CallContext): Promise<Quarantined> {
  refuseAgents(context);
  return deps.database.write(context, async (trx) => {
    const held = await requireQuarantined(trx, id, context);
    const released = { ...held, verdict: 'released', judgedAtMs: deps.clock.now() } as const;
    await keepQuarantined(trx, context.userId, released);
    return released;
  });
}

/** It was planted: it is archived and stays out. Throws `not_found`, and `forbidden` to an agent. */
export async function rejectMemory(deps: MemoryDeps, id: number, context: CallContext): Promise<Quarantined> {
  refuseAgents(context);
  await requireQuarantined(deps.database.db, id, context);
  await archiveMemory(deps, { id, reason: 'rejected in review: it speaks to the reader' }, { ...context, claim: null });
  return deps.database.write(context, async (trx) => {
    const held = await requireQuarantined(trx, id, context);
    const rejected = { ...held, verdict: 'rejected', judgedAtMs: deps.clock.now() } as const;
    await keepQuarantined(trx, context.userId, rejected);
    return rejected;
  });
}

/** Takes a verdict back. Anybody may: it only holds back. What a rejection archived stays archived. Throws `not_found`. */
export async function holdMemory(deps: MemoryDeps, id: number, context: CallContext): Promise<Quarantined> {
  return deps.database.write(context, async (trx) => {
    const judged = await requireQuarantined(trx, id, context);
    const held = { ...judged, verdict: 'held', judgedAtMs: null } as const;
    await keepQuarantined(trx, context.userId, held);
    return held;
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

function refuseAgents({ transport }: CallContext): void {
  if (transport !== 'mcp') return;
  throw new LociError(
    'forbidden',
    'A person judges what is in quarantine: `loci quarantine list` shows it, on the command line or the page.',
  );
}

/** All that would be shown of it. */
function judgedText({ title, content, context, problem, solution, concepts, tags, author }: Memory): string {
  return [title, content, context, problem, solution, author, ...concepts, ...tags].filter(Boolean).join('\n');
}
