// What every measurement works with: throw-away homes, the daemons in them, and the model by itself. Whatever was started is ended
// with the workshop, so that a measurement that fails leaves nothing behind.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBundledEmbedder } from '#daemon/embeddings/bundled.ts';
import type { Embedder } from '#daemon/embeddings/embedder.ts';
import { systemClock } from '#daemon/kernel/clock.ts';
import { silentLogger } from '#daemon/kernel/logger.ts';
import { type RunningDaemon, startDaemon } from './processes/running-daemon.ts';
import { copyFilledHome } from './store/filled-home.ts';

export type Workshop = {
  /** A home folder that nothing has used. */
  emptyHome(): string;
  /** A home that holds that many memories, their vectors and everything derived. */
  filledHome(memories: number): Promise<string>;
  /** The built daemon on a home, once it answers. */
  daemon(home: string, env?: NodeJS.ProcessEnv): Promise<RunningDaemon>;
  /** The bundled model in a thread of this process: what a save or a search is measured against. */
  readonly model: Embedder;
  /** Says on stderr what is going on. */
  say(sentence: string): void;
  close(): Promise<void>;
};

export function createWorkshop(): Workshop {
  const folder = mkdtempSync(join(tmpdir(), 'loci-bench-'));
  const daemons: RunningDaemon[] = [];
  const model = createBundledEmbedder({ clock: systemClock, logger: silentLogger });
  let homes = 0;

  function emptyHome(): string {
    homes += 1;
    return join(folder, String(homes));
  }

  return {
    emptyHome,
    model,
    say,
    async filledHome(memories) {
      const home = emptyHome();
      await copyFilledHome(memories, home, say);
      return home;
    },
    async daemon(home, env) {
      const daemon = await startDaemon(home, env);
      daemons.push(daemon);
      return daemon;
    },
    async close() {
      for (const daemon of daemons) await daemon.kill();
      await model.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
