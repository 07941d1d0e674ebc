// The whole daemon in this process: real sockets, database, reader thread and vectors, with a clock and an embedder of the test's own.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApp } from '#daemon/app.ts';
import type { Clock } from '#daemon/kernel/clock.ts';
import { silentLogger } from '#daemon/kernel/logger.ts';
import { type LociPaths, resolvePaths } from '#shared/paths.ts';
import { readSettings } from '#shared/read-settings.ts';
import { atEnd } from './at-end.ts';
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

export type TestDaemonOptions = { env?: Record<string, string>; home?: string; clock?: Clock };

/** Starts a daemon on a temporary home; the end of the test stops it and removes the home. */
export async function startTestDaemon(options: TestDaemonOptions = {}): Promise<TestDaemon> {
  const daemon = await openTestDaemon(options);
  atEnd(async () => {
    await daemon.stop();
    rmSync(daemon.home, { recursive: true, force: true });
  });
  return daemon;
}

/** The same for whoever stops it and removes the home. With a `clock` of its own the fake one only stands by. */
export async function openTestDaemon(options: TestDaemonOptions = {}): Promise<TestDaemon> {
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
    startedAtMs: (options.clock ?? clock).now(),
    publishPort: (given) => tellPort(given ?? 0),
    requestStop: () => undefined,
    env: {},
    clock: options.clock ?? clock,
    embedder,
  });
  let running = true;
  const stop = async (): Promise<void> => {
    if (running) await app.stop();
    running = false;
  };
  return { paths, home, clock, embedder, token, port: () => port, stop };
}
