import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { broken, type Check, notice, ok } from './check.ts';
import { shellWord } from './shell-word.ts';

const megabyte = 2 ** 20;
/** The daemon calls itself degraded below this; saves fail a little later. */
const lowBytes = 200 * megabyte;
const fullBytes = 20 * megabyte;

/** Room where the data lies, as the system counts it for this user. */
export const diskSpace: Check = {
  about: 'disk',
  run({ paths }) {
    let folder = paths.data;
    while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder);
    const { bavail, bsize } = statfsSync(folder);
    return [judgeSpace(bavail * bsize, folder)];
  },
};

/** `freeBytes` of the disk that holds `folder`. */
export function judgeSpace(freeBytes: number, folder: string) {
  const free = `${Math.round(freeBytes / megabyte).toLocaleString('en')} MB are free where the data is.`;
  const look = `du -xh --max-depth=2 ${shellWord(dirname(folder))} | sort -h | tail`;
  if (freeBytes < fullBytes) return broken('disk', `${free} Saves fail: free some space.`, look);
  if (freeBytes < lowBytes) return notice('disk', `${free} Saves will fail soon.`, look);
  return ok('disk', free);
}
