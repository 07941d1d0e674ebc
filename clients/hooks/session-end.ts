import { isAbsolute } from 'node:path';
import { type HookEvent, leftForLater } from './hook-event.ts';

/** Hands the transcript to the daemon, which sweeps it long after this process has ended. Also before a compaction. */
export const sessionEnd: HookEvent = {
  unansweredMeans: leftForLater,
  async handle({ transcript, agent, session, folder }, { ask, leave }) {
    if (transcript === null || !isAbsolute(transcript)) return '';
    leave({ kind: 'transcript', path: transcript, agent, session, folder });
    await ask('memory_take_spool', {});
    return '';
  },
};
