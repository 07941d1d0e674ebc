import type { HookEvent } from './hook-event.ts';

/** What the answer may take from the daemon to the agent. */
const onTheWayMs = 60;
/** Of a longer prompt the daemon looks at the ends alone. */
const maxPromptChars = 20_000;

/** The memories that fit the prompt, each once in a session. */
export const userPrompt: HookEvent = {
  async handle({ prompt, session }, { ask, leftMs }) {
    if (!/[\p{L}\p{N}]/u.test(prompt) || /^\s*\/[\w:-]+\s*$/.test(prompt)) return '';
    const { text } = await ask('memory_recall', {
      prompt: ends(prompt.replaceAll('\0', ' ')).toWellFormed(),
      ...(session === null ? {} : { session }),
      deadline_ms: Math.max(1, Math.floor(leftMs() - onTheWayMs)),
    });
    return typeof text === 'string' ? text : '';
  },
};

function ends(text: string): string {
  if (text.length <= maxPromptChars) return text;
  const half = maxPromptChars / 2;
  return `${text.slice(0, half)}\n${text.slice(-half)}`;
}
