import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';

/** A new empty folder that the end of the test removes. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'loci-test-'));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
