import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd } from './at-end.ts';

/** A new empty folder that the end of the test removes. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'loci-test-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }));
  return folder;
}
