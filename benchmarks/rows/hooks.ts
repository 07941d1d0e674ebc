// What a prompt waits for.
import type { Bench } from '../bench.ts';
import { countFinding, limitFinding, percentile, ratioFinding } from '../figures.ts';
import { hookBars, promptInput, runHookOnce } from '../hooks.ts';
import { timeEmptyNode } from '../processes/process-facts.ts';
import { createDeveloperTexts } from '../store/developer-texts.ts';

const rounds = 25;
const stoppedRounds = 100;

export const hookBenches: readonly Bench[] = [
  {
    name: 'hook-prompt',
    async run(workshop) {
      const home = await workshop.filledHome(10_000);
      const daemon = await workshop.daemon(home);
      const texts = createDeveloperTexts(4_711);
      await daemon.call('memory_recall', { prompt: 'wait until the store is open and the model is loaded' });
      const [hook, node]: [number[], number[]] = [[], []];
      let answered = 0;
      for (let round = 0; round < rounds; round += 1) {
        node.push(await timeEmptyNode());
        const run = await runHookOnce(home, 'user-prompt', promptInput(texts.question(), `bench-${round}`));
        hook.push(run.ms);
        if (run.code === 0 && run.stderr === '') answered += 1;
      }
      const yardstick = { name: '`node -e 0`', values: node };
      return [
        ratioFinding({
          what: '`loci hook user-prompt`, 10,000 memories',
          atMost: hookBars.timeRatio,
          values: hook,
          yardstick,
        }),
        countFinding('hooks that had their answer in time', String(rounds), String(answered)),
      ];
    },
  },
  {
    name: 'hook-stopped',
    async run(workshop) {
      const home = workshop.emptyHome();
      const daemon = await workshop.daemon(home);
      await daemon.call('memory_sync');
      process.kill(daemon.pid, 'SIGSTOP');
      const values: number[] = [];
      let silent = 0;
      try {
        for (let round = 0; round < stoppedRounds; round += 1) {
          const run = await runHookOnce(home, 'user-prompt', promptInput('where do we keep sessions?', 'bench'));
          values.push(run.ms);
          if (run.code === 0 && run.stdout === '') silent += 1;
        }
      } finally {
        process.kill(daemon.pid, 'SIGCONT');
      }
      const p99 = percentile(values, 0.99);
      return [
        limitFinding({ what: 'the same, daemon stopped (p99)', atMost: hookBars.stoppedP99Ms, values: [p99] }),
        countFinding('hooks that ended well and silent', String(stoppedRounds), String(silent)),
      ];
    },
  },
];
