import { fork } from 'node:child_process';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { silentLogger } from '#daemon/kernel/logger.ts';
import { createLanceClient } from '#daemon/storage/lance/lance-client.ts';
import { tempFolder } from '../../support/temp-folder.ts';

it('the vector process is replaced after so many changes of whatever kind, and a search does not count', async () => {
  const started: number[] = [];
  const client = createLanceClient({
    place: join(tempFolder(), 'vectors'),
    logger: silentLogger,
    idleMs: () => 60_000,
    timeoutMs: 30_000,
    changesOfProcess: 3,
    startProcess: (program, argv, options) => {
      const child = fork(program, argv, options);
      started.push(child.pid ?? 0);
      return child;
    },
  });
  onTestFinished(() => client.close());
  const table = 'vectors_1';
  const rows = { table, dimensions: 4, rows: [], vectors: new Float32Array() };

  await client.ask('create', { table, dimensions: 4 });
  for (let turn = 0; turn < 5; turn += 1) await client.ask('open', { table });
  await client.ask('append', rows);
  expect(started).toHaveLength(1);
  await client.ask('keepOnly', { table });
  expect(await client.ask('open', { table })).toMatchObject({ exists: true });
  expect(started).toHaveLength(2);

  await client.ask('optimise', { table, index: false });
  await client.ask('optimise', { table, index: false });
  await client.ask('create', { table, dimensions: 4 });
  await client.ask('open', { table });
  expect(new Set(started).size).toBe(3);
});
