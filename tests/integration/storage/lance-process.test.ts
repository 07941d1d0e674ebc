import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { workerFile } from '#daemon/kernel/worker-file.ts';
import { sendSignal } from '../../support/send-signal.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** Starts the vector process as the daemon does, waits until it has made a table, and prints its pid. */
const parent = `
  const { fork } = require('node:child_process');
  const [program, folder] = process.argv.slice(1);
  const child = fork(program, [folder], { serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  child.on('message', () => console.log(child.pid));
  child.send({ id: 1, name: 'create', argument: { table: 'vectors_1', dimensions: 8 } });
  setInterval(() => {}, 1000);
`;

function isAlive(pid: number): boolean {
  try {
    sendSignal(pid, 0);
    return true;
  } catch {
    return false;
  }
}

it('the vector process ends when the daemon is killed', async () => {
  const program = fileURLToPath(workerFile('lance-process'));
  const daemon = spawn(process.execPath, ['-e', parent, program, tempFolder()], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [chunk] = (await once(daemon.stdout, 'data')) as [Buffer];
  const pid = Number(chunk.toString());
  expect(isAlive(pid)).toBe(true);
  daemon.kill('SIGKILL');
  for (let turn = 0; turn < 100 && isAlive(pid); turn += 1) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(isAlive(pid)).toBe(false);
});
