// Hooks where and as agents run them by mistake or by habit: in the home folder, in a folder that is gone, and twenty at once.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type Home, homeIn, pidOf, startProcess, untilUp } from '../../support/daemon-process.ts';
import { root } from '../../support/source-tree.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const loci = join(root, 'dist', 'loci.cjs');
const events = ['session-start', 'user-prompt', 'post-tool-use', 'pre-compact', 'session-end'] as const;

type Ended = { code: number | null; stdout: string };

function hook(home: Home, event: string, cwd: string, fields: object, env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const child: ChildProcess = spawn(process.execPath, [loci, 'hook', event], { env: { ...home.env, ...env }, cwd });
  let stdout = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stdin?.end(JSON.stringify({ session_id: 's-1', cwd, prompt: 'where do we keep sessions?', ...fields }));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout })));
}

it('B38 a hook in the home folder makes no file there and belongs to no project; one in a folder that is gone ends well', async () => {
  const user = tempFolder();
  mkdirSync(join(user, 'notes'));
  const home = homeIn(tempFolder(), { HOME: user });
  startProcess(join(root, 'dist', 'locid.js'), home.env);
  await untilUp(home);
  for (const event of events) {
    const { code, stdout } = await hook(home, event, user, { source: 'startup', reason: 'other' });
    expect({ event, code, stdout }).toEqual({ event, code: 0, stdout: '' });
  }
  expect(readdirSync(user)).toEqual(['notes']);
  const gone = join(user, 'gone');
  mkdirSync(gone);
  const late = hook(home, 'user-prompt', gone, {});
  rmSync(gone, { recursive: true });
  expect((await late).code).toBe(0);
});

it('B42 twenty hooks at once on a cold home: each ends well, and one daemon is there in the end', async () => {
  const home = homeIn(tempFolder());
  const ended = await Promise.all(
    Array.from({ length: 20 }, (_, index) => hook(home, 'user-prompt', '/', { session_id: `s-${index}` })),
  );
  expect(ended.map(({ code }) => code)).toEqual(ended.map(() => 0));
  await expect.poll(() => pidOf(home), { timeout: 20_000 }).not.toBeNull();
  const pid = await pidOf(home);
  await sleep(1_000);
  expect(await pidOf(home)).toBe(pid);
  // a second daemon would have said so, and would have begun a log of its own
  const log = readFileSync(join(home.paths.state, 'log', 'locid.log'), 'utf8')
    .trim()
    .split('\n');
  expect(new Set(log.map((line) => (JSON.parse(line) as { pid?: number }).pid)).size).toBe(1);
});
