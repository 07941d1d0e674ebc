// A page that promises something names the test that fails when it is broken; and that test must be there.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './support/source-tree.ts';

const pages = ['docs/durability.md'];
/** `tests/…test.ts` "words of its name". */
const named = /`(tests\/[\w./-]+\.test\.ts)` "([^"]+)"/g;

describe.each(pages)('%s', (page) => {
  const text = readFileSync(join(root, page), 'utf8');

  it('names tests that exist', () => {
    const missing = [...text.matchAll(named)].filter(([, file = '', name = '']) => {
      const path = join(root, file);
      return !existsSync(path) || !readFileSync(path, 'utf8').includes(name);
    });
    expect(missing.map(([whole]) => whole)).toEqual([]);
  });

  it('names a test in each row of a table of promises', () => {
    const rows = text.split('\n').filter((line) => /^\| (?!promise|---|-)/.test(line));
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.filter((row) => row.match(named) === null)).toEqual([]);
  });
});
