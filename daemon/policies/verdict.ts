// What a policy answers, read as what a stranger sent: nothing, or one entry, or several, each allow, warn or reject.
import { isRecord } from '#daemon/kernel/is-record.ts';
import type { PluginWarning } from '#shared/contract/knowledge/plugin-warnings.ts';
import { PolicyFailure } from './policy-thread.ts';

export type Verdict = {
  /** The first refusal, or null. */
  readonly rejection: { readonly message: string; readonly code: string | null } | null;
  readonly warnings: readonly PluginWarning[];
};

const maxMessageLength = 500;
const maxEntries = 20;

/** Throws `PolicyFailure` for what is no verdict: a policy that cannot say what it means has not allowed anything. */
export function readVerdict(answer: unknown): Verdict {
  const entries = answer === null ? [] : Array.isArray(answer) ? answer.slice(0, maxEntries) : [answer];
  let rejection: Verdict['rejection'] = null;
  const warnings: PluginWarning[] = [];
  for (const entry of entries) {
    if (!isRecord(entry)) throw new PolicyFailure('its answer is no verdict');
    const { outcome, message, code } = entry;
    if (outcome === 'allow') continue;
    if ((outcome !== 'warn' && outcome !== 'reject') || typeof message !== 'string' || message.trim() === '') {
      throw new PolicyFailure(
        'its answer is no verdict: `outcome` is allow, warn or reject, the last two with a message',
      );
    }
    const words = { message: oneLine(message), code: typeof code === 'string' ? oneLine(code).slice(0, 100) : null };
    if (outcome === 'reject') rejection ??= words;
    else warnings.push({ outcome, message: words.message, ...(words.code === null ? {} : { code: words.code }) });
  }
  return { rejection, warnings };
}

function oneLine(text: string): string {
  const clean = text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
  return [...clean].slice(0, maxMessageLength).join('');
}
