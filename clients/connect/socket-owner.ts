// What a memory holds must not be told to whoever guessed the name of a folder below the temporary one and made it first (B70).
// Node built-ins only: the shim bundles this file.
import { lstatSync } from 'node:fs';

/** True when the socket at `path` exists and belongs to another user: nothing may be said to it. */
export function isForeignSocket(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  const uid = process.getuid?.();
  return found !== undefined && uid !== undefined && found.uid !== uid;
}
