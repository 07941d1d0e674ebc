// What every command says of itself. A change here is a change of what people read: look at it, then write it down with
// `UPDATE_GOLDEN=1 npx vitest run tests/golden/cli-help.test.ts`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { buildProgram } from '#clients/cli/program.ts';
import { runCliHere } from '../support/run-cli.ts';
import { root } from '../support/source-tree.ts';

const golden = join(root, 'tests/golden/cli-help.json');

it('--help of every command is as written down', async () => {
  const help: Record<string, string[]> = {};
  for (const words of commandPaths()) {
    const run = await runCliHere([...words, '--help']);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    help[['loci', ...words].join(' ')] = run.stdout.split('\n');
  }
  const text = `${JSON.stringify(help, null, 2)}\n`;
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(golden, text);
  expect(text).toBe(readFileSync(golden, 'utf8'));
});

it('every command but a group shows an example that begins with a line one can type', async () => {
  const missing: string[] = [];
  for (const words of commandPaths().slice(1)) {
    const run = await runCliHere([...words, '--help']);
    if (!/\nExamples?:\n {2}\S/.test(run.stdout)) missing.push(words.join(' '));
  }
  expect(missing).toEqual([]);
});

function commandPaths(): string[][] {
  const program = buildProgram({
    openSession: () => {
      throw new Error('no command is run here');
    },
    setExitCode: () => undefined,
    output: { out: () => undefined, err: () => undefined, columns: 100 },
  });
  const below = (command: Command, words: string[]): string[][] =>
    command.commands.flatMap((one) => [[...words, one.name()], ...below(one, [...words, one.name()])]);
  return [[], ...below(program, [])];
}
