import { mkdirSync, writeFileSync } from 'node:fs';
import { sightingFile, sightingsFolder } from '#shared/hook-sightings.ts';

/** Leaves the event where the doctor looks, so that hooks which an agent never runs can be told from hooks that have nothing to say. Never throws. */
export function noteSighting(state: string, agent: string, event: string): void {
  const file = sightingFile(state, agent);
  if (file === null) return;
  try {
    mkdirSync(sightingsFolder(state), { recursive: true, mode: 0o700 });
    writeFileSync(file, `${event}\n`, { mode: 0o600 });
  } catch {
    // a hook has better things to fail of
  }
}
