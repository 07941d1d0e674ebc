// `loci backup`, `loci re-embed` and `loci status` as a person types them, against a daemon on its socket.
import { expect, it } from 'vitest';
import { programEnv, runLoci } from '../../support/run-program.ts';
import { startTestDaemon } from '../../support/test-daemon.ts';

it('backups are made, listed and brought back from the shell; nothing is replaced without a yes', async () => {
  const { home } = await startTestDaemon();
  const loci = (...args: string[]) => runLoci(args, { env: programEnv(home), cwd: '/' });
  await loci('add', 'the cart keeps prices in cents');
  const made = await loci('backup', 'create');
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^loci-\S+\.tar\.gz: 1 memory, /) });
  await loci('add', 'invoices go out on mondays');

  const asked = await loci('backup', 'restore', 'latest');
  expect(asked).toMatchObject({ code: 2, stderr: expect.stringMatching(/Replace everything.*--yes/) });
  expect((await loci('backup', 'verify')).stdout).toMatch(/is whole: 1 memory/);
  const restored = await loci('backup', 'restore', 'latest', '--yes');
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Restored .* 1 memory/) });
  expect(restored.stderr).toMatch(/What was there before is loci-/);
  expect((await loci('get', '2')).code).toBe(3);
  const listed = await loci('backup', 'list');
  expect(listed.stdout).toMatch(/before restore[\s\S]*manual/);
  expect(await loci('backup', 'verify', 'loci-20200101T000000000Z.tar.gz')).toMatchObject({ code: 3 });
  expect((await loci('backup', 'repair')).stdout).toMatch(/is whole: nothing was done/);
  expect((await loci('status')).stdout).toMatch(/backups +last .*; restored on trial never/);
  expect(JSON.parse((await loci('status', '--json')).stdout)).toMatchObject({
    backups: { last_at: expect.any(String), rehearsed_at: null },
  });
});

it('re-embed says what it would take, mends what there is, and refuses a provider that is none', async () => {
  const { home } = await startTestDaemon();
  const loci = (...args: string[]) => runLoci(args, { env: programEnv(home), cwd: '/' });
  await loci('add', 'the cart keeps prices in cents');
  const plan = await loci('re-embed', '--dry-run');
  expect(plan).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Embedding 1 thing \(1 passage\).*384 dimensions, takes about/),
  });
  expect((await loci('re-embed')).stdout).toMatch(/^Everything \(1 thing\) is embedded with fake-384/);
  expect(JSON.parse((await loci('re-embed', '--json', '--no-wait')).stdout)).toMatchObject({
    state: 'done',
    things: 1,
  });
  expect(await loci('re-embed', '--provider', 'abacus')).toMatchObject({ code: 2 });
});
