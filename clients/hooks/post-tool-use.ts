import { isAbsolute, join } from 'node:path';
import { isMemoryFile } from '#shared/memory-files.ts';
import { type HookEvent, leftForLater } from './hook-event.ts';

/** A Markdown file written into an agent's memory folder becomes a memory. */
export const postToolUse: HookEvent = {
  unansweredMeans: leftForLater,
  async handle({ files, agent, session, folder }, { ask, leave }) {
    const paths = files.map((file) => (isAbsolute(file) ? file : join(folder ?? '/', file))).filter(isMemoryFile);
    if (paths.length === 0) return '';
    for (const path of paths) leave({ kind: 'file', path, agent, session, folder });
    await ask('memory_take_spool', {});
    return '';
  },
};
