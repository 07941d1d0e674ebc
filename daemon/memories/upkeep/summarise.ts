// A summary by a language model, where one may be asked, and only where nothing can be lost by it: the texts assert the same
// numbers, names, quotations and negations (rule 7), and so does the summary. Anything else is united sentence by sentence.
import { refuseSecrets } from '#daemon/secrets/detect-secrets.ts';
import type { MemoryDeps } from '../deps.ts';
import { distinctions, guardAllows } from '../duplicates/guard.ts';
import type { Memory } from '../memory.ts';
import { countSentences } from '../sentences.ts';

const longestSummary = 1_000;

/** Whether a model may write these memories as one: no two of them differ in what the guard watches. */
export function maySummarise(members: readonly Memory[]): boolean {
  const [first, ...others] = members.map(statedBy);
  return first !== undefined && others.every((text) => guardAllows(first, text));
}

/** One or two sentences for the contents of `members`, or null where they are to be united as they are. */
export async function summaryOf(
  { summariser }: Pick<MemoryDeps, 'summariser'>,
  members: readonly Memory[],
  signal: AbortSignal,
): Promise<string | null> {
  if (summariser === null || !maySummarise(members)) return null;
  const summary = await summariser.summarise(
    members.map((memory) => memory.content),
    signal,
  );
  return summary !== null && isUsable(summary, members) ? summary : null;
}

function isUsable(summary: string, members: readonly Memory[]): boolean {
  if ([...summary].length > longestSummary || countSentences(summary) > 2) return false;
  if (!summary.isWellFormed() || /[\0\u{E0000}-\u{E007F}]/u.test(summary)) return false;
  const kept = new Set(distinctions(summary));
  const wanted = new Set(members.flatMap((memory) => distinctions(memory.content)));
  if (kept.size !== wanted.size || [...wanted].some((one) => !kept.has(one))) return false;
  try {
    refuseSecrets({ content: summary });
    return true;
  } catch {
    return false;
  }
}

function statedBy(memory: Memory): string {
  return [memory.content, memory.context, memory.problem, memory.solution].filter((text) => text !== null).join('\n');
}
