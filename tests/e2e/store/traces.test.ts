// What the real daemon leaves behind: no text of a memory in its log, no byte of what was erased, no file where a client was started.

import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Connection } from '#clients/connect/connection.ts';
import { homeIn, pidOf } from '../../support/daemon-process.ts';
import { filesHolding } from '../../support/open-store-file.ts';
import { connectTo, untilEmbedded } from '../../support/real-daemon.ts';
import { runLoci } from '../../support/run-program.ts';
import { sendSignal } from '../../support/send-signal.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const secret = 'zanzibarite';

/** Every change that an operation of today can make to a memory, each under a key, the text in every field that takes one. */
async function liveOf(connection: Connection): Promise<number> {
  const call = (name: string, input: object, key: string) =>
    connection.call(name, { ...input, idempotency_key: key }) as Promise<{ id: number }>;
  const { id } = await call(
    'memory_save',
    {
      content: `the ${secret} hoard lies under the oak tree behind the house of the keeper of the lighthouse`,
      title: `On ${secret}`,
      context: `${secret} context`,
      problem: `${secret} problem`,
      solution: `${secret} solution`,
      concepts: [`${secret}-concept`],
      tags: [`${secret}-tag`],
      files: [`src/${secret}.ts`],
      source_url: `https://wiki.test/${secret}`,
      author: `${secret} author`,
      session: `${secret} session`,
      metadata: { note: secret },
    },
    'save',
  );
  await call('memory_update', { id, content: `the ${secret} hoard was moved` }, 'update');
  await call('memory_update', { id, tags: [`${secret}-other`] }, 'tags');
  await call('memory_revert', { id, to: 1 }, 'revert');
  await call('memory_archive', { id, reason: `${secret} is no more` }, 'archive');
  await call('memory_update', { id, status: 'active' }, 'restore');
  await call('memory_checkpoint', { task_summary: 'nothing of interest' }, 'checkpoint');
  await connection.call('memory_search', { query: `where is the ${secret}`, depth: 3, explain: true });
  await connection.call('memory_get', { id });
  await connection.call('memory_history', { id });
  return id;
}

it('erased text is in no byte of the home: SQLite, its log, the vectors, the answers, the log of changes, the log', async () => {
  const home = homeIn(tempFolder());
  const connection = connectTo(home);
  const id = await liveOf(connection);
  await connection.call('memory', { action: 'save', category: 'other', key: 'hoard', value: `The ${secret} is deep` });
  await connection.call('memory', {
    action: 'save',
    category: 'other',
    key: 'hoard',
    value: `The ${secret} is deeper`,
  });
  await untilEmbedded(connection);
  await connection.call('run_job', { name: 'reconcile' });
  expect(filesHolding(join(home.folder, 'data'), secret)).not.toEqual([]);
  expect(filesHolding(join(home.folder, 'state'), secret)).toEqual([]);

  await connection.call('memory_purge', { id, idempotency_key: 'purge' });
  await connection.call('memory', { action: 'forget', key: 'hoard', idempotency_key: 'forget' });
  expect(filesHolding(home.folder, secret)).toEqual([]);
  const pid = await pidOf(home);
  if (pid !== null) sendSignal(pid, 'SIGKILL');
  expect(filesHolding(home.folder, secret)).toEqual([]);
  await connectTo(home).call('memory_sync', {});
  expect(filesHolding(home.folder, secret)).toEqual([]);
}, 120_000);

it('no text of a memory, a query, a refusal or a failed request is in the log at info', async () => {
  const home = homeIn(tempFolder());
  const connection = connectTo(home);
  await liveOf(connection);
  for (const [name, input] of [
    ['memory_save', { content: secret, tags: [[secret]] }],
    ['memory_save', { [secret]: 1, content: secret }],
    ['memory_save', { content: `password = ${secret}X9${secret}` }],
    ['memory_search', { query: secret, limit: secret }],
    ['memory', { action: 'save', category: secret, key: secret, value: secret }],
    ['memory_stats', { project: secret }],
    ['run_job', { name: secret }],
    [secret, {}],
  ] as const) {
    await expect(connection.call(name, input)).rejects.toMatchObject({ code: expect.any(String) });
  }
  await expect(connection.getText(`/memories/search?q=${secret}&${secret}=1`)).rejects.toMatchObject({
    code: 'invalid_input',
  });
  const log = readFileSync(home.paths.log, 'utf8');
  expect(log).toContain('daemon starting');
  expect(log).not.toContain(secret);
});

it('no client leaves a file in the folder in which it was started, nor in the user’s home', async () => {
  const home = homeIn(tempFolder());
  const user = tempFolder();
  const cwd = join(user, 'work');
  mkdirSync(cwd);
  const env = { ...home.env, HOME: user };
  for (const args of [
    ['add', 'a note'],
    ['search', 'note'],
    ['sync'],
    ['fact', 'save', 'other', 'k', 'v'],
    ['stats'],
    ['stop'],
  ]) {
    expect((await runLoci(args, { env, cwd })).code, args.join(' ')).toBe(0);
  }
  expect(readdirSync(cwd)).toEqual([]);
  expect(readdirSync(user)).toEqual(['work']);
  // stopped is stopped: no client starts it again
  for (const args of [['search', 'note'], ['sync'], ['add', 'x']]) {
    expect((await runLoci(args, { env, cwd })).code, args.join(' ')).toBe(5);
  }
  expect(await pidOf(home)).toBeNull();
});
