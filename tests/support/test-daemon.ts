// The whole daemon in this process: real sockets, database, reader thread and vectors, with a clock and an embedder of the test's own.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { startApp } from '#daemon/app.ts';
import { silentLogger } from '#daemon/kernel/logger.ts';
import { type LociPaths, resolvePaths } from '#shared/paths.ts';
import { readSettings } from '#shared/read-settings.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { createFakeEmbedder, type FakeEmbedder } from './fake-embedder.ts';
import { storageSettings } from './storage-under-test.ts';

export type TestDaemon = {
  readonly paths: LociPaths;
  readonly home: string;
  readonly clock: FakeClock;
  readonly embedder: FakeEmbedder;
  readonly token: string;
  /** The TCP port, once it listens. */
  port(): Promise<number>;
  stop(): Promise<void>;
};

/** Starts a daemon on a temporary home; the end of the test stops it and removes the home. */
export async function startTestDaemon(
  options: { env?: Record<string, string>; home?: string } = {},
): Promise<TestDaemon> {
  const home = options.home ?? mkdtempSync(join(tmpdir(), 'loci-daemon-'));
  const paths = resolvePaths({ LOCI_HOME: home });
  for (const folder of [paths.data, paths.config, paths.state, paths.run])
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  const clock = createFakeClock();
  const embedder = createFakeEmbedder();
  const token = 'token-of-a-test-daemon';
  let tellPort: (port: number) => void = () => undefined;
  const port = new Promise<number>((resolve) => {
    tellPort = resolve;
  });
  const app = await startApp({
    paths,
    settings: readSettings({
      file: null,
      env: { LOCI_PORT: '0', ...(await storageSettings(home)), ...options.env },
      flags: {},
    }),
    logger: silentLogger,
    token,
    startedAtMs: clock.now(),
    publishPort: (given) => tellPort(given ?? 0),
    requestStop: () => undefined,
    env: {},
    clock,
    embedder,
  });
  let running = true;
  const stop = async (): Promise<void> => {
    if (running) await app.stop();
    running = false;
  };
  afterEach(async () => {
    await stop();
    rmSync(home, { recursive: true, force: true });
  });
  return { paths, home, clock, embedder, token, port: () => port, stop };
}
