// The daemon's own description of its API against the daemon, by a tool that knows neither: at least 20,000 requests, no server error, no
// stack, no answer that breaks its schema. Installs schemathesis from the package index the first time.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/source-tree.ts';

it('no request makes the daemon fail or answer what it does not promise', async () => {
  const { code, text } = await run(['--examples', '10']);
  expect(text.slice(-8_000)).toMatch(/Test cases:/);
  const generated = Number(/([\d,]+) generated/.exec(text)?.[1]?.replaceAll(',', ''));
  expect(generated).toBeGreaterThan(20_000);
  expect(code, text.slice(-20_000)).toBe(0);
});

function run(args: readonly string[]): Promise<{ code: number | null; text: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, 'scripts/fuzz.mjs'), ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
    }
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, text }));
  });
}
