import type { HookEvent } from './hook-event.ts';

/** A short recap of the project. After a compaction the agent has lost what it was shown, so it may be shown again. */
export const sessionStart: HookEvent = {
  async handle({ session, source }, { ask }) {
    const forgotten = source === 'compact' || source === 'clear';
    const { text } = await ask('memory_recap', { ...(session === null ? {} : { session }), forgotten });
    return typeof text === 'string' ? text : '';
  },
};
