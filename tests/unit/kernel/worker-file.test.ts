import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { workerFile } from '#daemon/kernel/worker-file.ts';

describe('the bundle of a worker', () => {
  it('is found from the source tree', () => {
    const file = workerFile('reader-worker');
    expect(file.pathname).toMatch(/\/dist\/reader-worker\.js$/);
    expect(existsSync(file)).toBe(true);
  });

  it('is asked for by name when it was not built', () => {
    expect(() => workerFile('never-built')).toThrow("The program 'never-built' is missing: run `npm run build`.");
  });
});
