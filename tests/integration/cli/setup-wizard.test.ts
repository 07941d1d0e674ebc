// The questions of `loci setup` on a terminal.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCliHere } from '../../support/run-cli.ts';
import { root } from '../../support/source-tree.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const [, script] = process.argv;
beforeEach(() => {
  process.argv[1] = join(root, 'dist', 'loci.cjs');
});
afterEach(() => {
  process.argv[1] = script ?? '';
});

function openHome(): { home: string; env: NodeJS.ProcessEnv } {
  const folder = tempFolder();
  mkdirSync(join(folder, '.config', 'zed'), { recursive: true });
  return {
    home: folder,
    env: { HOME: folder, PATH: '', LOCI_HOME: join(folder, 'loci'), TERM: 'dumb', LOCI_NO_AUTOSTART: '1' },
  };
}

it('offers what is found, shows the change, asks, and writes after a yes', async () => {
  const { home, env } = openHome();
  const run = await runCliHere(['setup'], { env, typed: 'y\r' });
  expect(run).toMatchObject({ code: 0 });
  expect(run.stderr).toContain('Which agents shall use this memory?');
  expect(run.stderr).toMatch(/Write 1 file\?/);
  expect(run.stdout).toContain(`${join(home, '.config/zed/settings.json')}  (create; zed)`);
  expect(readFileSync(join(home, '.config/zed/settings.json'), 'utf8')).toContain('"context_servers"');
});

it('a no changes nothing, and neither does Ctrl-C', async () => {
  const { home, env } = openHome();
  const no = await runCliHere(['setup', '--agent', 'zed'], { env, typed: 'n' });
  expect(no).toMatchObject({ code: 130, stderr: expect.stringContaining('Nothing was changed.') });
  const broken = await runCliHere(['setup'], { env, typed: '\u0003' });
  expect(broken.code).toBe(130);
  expect(existsSync(join(home, '.config/zed/settings.json'))).toBe(false);
});

it('what an agent writes into its file while the question stands is kept, and ours comes beside it', async () => {
  const { home, env } = openHome();
  const file = join(home, '.config/zed/settings.json');
  writeFileSync(file, '{}');
  let isWritten = false;
  const run = await runCliHere(['setup', '--agent', 'zed'], {
    env,
    typed: 'y',
    onStderr: (text) => {
      if (isWritten || !text.includes('Write 1 file?')) return;
      isWritten = true;
      writeFileSync(file, '{ "theme": "of the agent" }');
    },
  });
  expect(run.code).toBe(0);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    theme: 'of the agent',
    context_servers: { loci: {} },
  });
});
