// Node built-ins only: the shim bundles this file.
import { readFileSync, statSync } from 'node:fs';

/** A daemon that cannot start says why on stderr, which goes to the log: its sentence is better than "no answer after 20 s". Answers what was said since. */
export function lastWords(log: string): () => string | null {
  const before = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  return () => {
    const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
    if (size <= before || size - before > 1_000_000) return null;
    const added = readFileSync(log).subarray(before).toString('utf8');
    return /^error: (.+)$/mu.exec(added)?.[1] ?? null;
  };
}
