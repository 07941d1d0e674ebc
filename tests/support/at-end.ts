// What a test has opened is closed when it ends. Vitest takes `afterEach` inside a running test without a word and never calls it, so
// that folders, servers and daemons stayed behind; `onTestFinished` is called, but only while a test (or its `beforeEach`) runs.
import { afterAll, onTestFinished, TestRunner } from 'vitest';

/** Runs `close` at the end of the test that is under way, the latest first; called outside of one, at the end of the file or block. */
export function atEnd(close: () => unknown): void {
  const run = async (): Promise<void> => void (await close());
  if (TestRunner.getCurrentTest() === undefined) afterAll(run);
  else onTestFinished(run);
}
