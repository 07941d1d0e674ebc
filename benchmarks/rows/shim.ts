// What an agent waits for and pays at every start.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { limitFinding, ratioFinding } from '../figures.ts';
import { killDaemonOf } from '../processes/identify-daemon.ts';
import { idleNodeMb, residentMb, timeEmptyNode } from '../processes/process-facts.ts';
import { startShim } from '../processes/running-shim.ts';

const rounds = 15;
const coldRounds = 7;
const settleMs = 1_500;

export const shimBenches: readonly Bench[] = [
  {
    name: 'shim-up',
    async run(workshop) {
      const home = workshop.emptyHome();
      const daemon = await workshop.daemon(home);
      await daemon.call('memory_sync');
      const [shim, node]: [number[], number[]] = [[], []];
      for (let round = 0; round < rounds; round += 1) {
        node.push(await timeEmptyNode());
        const running = await startShim(home);
        shim.push(running.toolsListedMs);
        running.kill();
      }
      const yardstick = { name: '`node -e 0`', values: node };
      return [ratioFinding({ what: '`loci mcp` → tools/list, daemon up', atMost: 1.5, values: shim, yardstick })];
    },
  },
  {
    name: 'shim-down',
    async run(workshop) {
      const home = workshop.emptyHome();
      const [shim, node]: [number[], number[]] = [[], []];
      for (let round = 0; round < coldRounds; round += 1) {
        node.push(await timeEmptyNode());
        const running = await startShim(home);
        shim.push(running.toolsListedMs);
        running.kill();
        await killDaemonOf(home);
      }
      const yardstick = { name: '`node -e 0`', values: node };
      return [ratioFinding({ what: '`loci mcp` → tools/list, daemon down', atMost: 10, values: shim, yardstick })];
    },
  },
  {
    name: 'shim-memory',
    async run(workshop) {
      const home = workshop.emptyHome();
      await workshop.daemon(home);
      const [shim, node]: [number[], number[]] = [[], []];
      for (let round = 0; round < 5; round += 1) {
        const running = await startShim(home);
        await sleep(settleMs);
        shim.push(residentMb(running.pid));
        running.kill();
        node.push(await idleNodeMb(settleMs));
      }
      const yardstick = { name: 'an idle `node`', values: node };
      return [ratioFinding({ what: 'RSS of one shim', atMost: 1.25, values: shim, yardstick, unit: 'MB' })];
    },
  },
  {
    name: 'sync',
    async run(workshop) {
      const daemon = await workshop.daemon(await workshop.filledHome(10_000));
      const values: number[] = [];
      for (let round = 0; round < 200; round += 1) values.push(await daemon.time('memory_sync'));
      // the first call waits for the store to open
      return [limitFinding({ what: '`memory_sync` at 10,000', atMost: 10, values: values.slice(1), of: 'p95' })];
    },
  },
];
