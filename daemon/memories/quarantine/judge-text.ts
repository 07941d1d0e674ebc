// Text that commands the reader is held back from injection until a person has judged it. The verdict is on the text: when that changes, it is
// judged anew, so that nobody gets one text released and then puts another in its place.
import { createHash } from 'node:crypto';
import type { Trx } from '#daemon/storage/sqlite.ts';
import { suspicionsOf } from '#daemon/trust/suspicious-text.ts';
import type { Memory } from '../memory.ts';
import { dropQuarantined, keepQuarantined, quarantinedById } from './quarantine.repository.ts';

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

/** All that would be shown of it. */
function judgedText({ title, content, context, problem, solution, concepts, tags, files, author }: Memory): string {
  return [title, content, context, problem, solution, author, ...concepts, ...tags, ...files]
    .filter(Boolean)
    .join('\n');
}
