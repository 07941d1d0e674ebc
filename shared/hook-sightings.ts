import { join } from 'node:path';

/** Folder with a file per agent, written at each of its events: "installed" says nothing of whether an agent runs its hooks. */
export function sightingsFolder(state: string): string {
  return join(state, 'hooks-seen');
}

/** The file of an agent, or null for a name that is no plain word. Its content is the event, its mtime the time. */
export function sightingFile(state: string, agent: string): string | null {
  return /^[a-z0-9][a-z0-9-]{0,39}$/.test(agent) ? join(sightingsFolder(state), agent) : null;
}
