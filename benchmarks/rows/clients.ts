// Many at once, and a daemon that dies under them: what counts is that nothing is lost, doubled, or served by two.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Bench } from '../bench.ts';
import { countFinding, type Finding } from '../figures.ts';
import { identifyDaemon, killDaemonOf } from '../processes/identify-daemon.ts';
import { clientEnvironment, program } from '../processes/program.ts';
import type { RunningDaemon } from '../processes/running-daemon.ts';
import { type RunningShim, startShim } from '../processes/running-shim.ts';
import { createDeveloperTexts } from '../store/developer-texts.ts';
import type { Workshop } from '../workshop.ts';

const writers = 8;
const savesEach = 25;
const starters = 20;
const calls = 64;
const kills = 16;

export const clientBenches: readonly Bench[] = [
  { name: 'writers', run: manyWriters },
  { name: 'starters', run: manyStarters },
  {
    name: 'kills',
    run: async (workshop) => [...(await manyKills(workshop, 'legacy')), ...(await manyKills(workshop, '2026-07-28'))],
  },
];

async function manyWriters(workshop: Workshop): Promise<Finding[]> {
  const home = workshop.emptyHome();
  const daemon = await workshop.daemon(home);
  const shims = await Promise.all(Array.from({ length: writers }, () => startShim(home)));
  const startedMs = performance.now();
  await Promise.all(
    shims.map(async (shim, writer) => {
      for (let saved = 0; saved < savesEach; saved += 1)
        await save(shim, `writer ${writer}, note ${saved}: ${word(writer, saved)}`);
    }),
  );
  const seconds = (performance.now() - startedMs) / 1000;
  for (const shim of shims) shim.kill();
  const stored = await countStored(daemon);
  return [
    countFinding(
      `${writers} writers × ${savesEach} saves at once (${seconds.toFixed(1)} s)`,
      `${writers * savesEach} stored`,
      `${stored} stored`,
    ),
  ];
}

async function manyStarters(workshop: Workshop): Promise<Finding[]> {
  const home = workshop.emptyHome();
  const startedMs = performance.now();
  const shims = await Promise.all(Array.from({ length: starters }, () => startShim(home)));
  const seconds = (performance.now() - startedMs) / 1000;
  await Promise.all(shims.map((shim, index) => save(shim, `starter ${index}: ${word(index, 1)}`)));
  const pids = new Set<unknown>();
  for (const shim of shims) {
    const health = await shim.call('execute_tool', { tool_name: 'memory_health', arguments: {} }).catch(() => null);
    pids.add((health?.structuredContent as { pid?: number } | undefined)?.pid ?? null);
    shim.kill();
  }
  await killDaemonOf(home);
  const daemon = await workshop.daemon(home);
  const stored = await countStored(daemon);
  return [
    countFinding(
      `${starters} clients start a cold daemon at once (all served in ${seconds.toFixed(1)} s)`,
      `${starters} stored by 1 daemon`,
      `${stored} stored by ${pids.size} daemon${pids.size === 1 ? '' : 's'}`,
    ),
  ];
}

/** The official client calls through a shim while the daemon is killed again and again. */
async function manyKills(workshop: Workshop, era: 'legacy' | '2026-07-28'): Promise<Finding[]> {
  const home = workshop.emptyHome();
  const mode = era === 'legacy' ? era : { pin: era };
  const client = new Client({ name: 'bench', version: '1.0.0' }, { versionNegotiation: { mode } });
  const env = Object.fromEntries(Object.entries(clientEnvironment(home)).map(([name, value]) => [name, value ?? '']));
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [program('loci'), 'mcp'], env }));
  const answers: Promise<boolean>[] = [];
  let killed = 0;
  for (let call = 0; call < calls; call += 1) {
    const content = `call ${call}: ${word(call, 2)}`;
    const sent = client.callTool({ name: 'memory_save', arguments: { content, on_duplicate: 'keep' } });
    answers.push(
      sent.then(
        ({ isError }) => isError !== true,
        () => false,
      ),
    );
    await sleep(5);
    if (call % (calls / kills) !== 0) continue;
    while ((await identifyDaemon(home)) === null) await sleep(10);
    await sleep(call % 3 === 0 ? 200 : 80); // before, while and after it serves
    await killDaemonOf(home);
    killed += 1;
  }
  const answered = (await Promise.all(answers)).filter(Boolean).length;
  await client.close();
  await killDaemonOf(home);
  const stored = await countStored(await workshop.daemon(home));
  return [
    countFinding(
      `daemon killed ${killed} × under ${calls} calls, ${era}`,
      `${calls} answered, ${calls} stored`,
      `${answered} answered, ${stored} stored`,
    ),
  ];
}

async function save(shim: RunningShim, content: string): Promise<void> {
  await shim.call('memory_save', { content, on_duplicate: 'keep' });
}

async function countStored(daemon: RunningDaemon): Promise<number> {
  const { memories } = await daemon.call<{ memories: { active: number } }>('memory_stats');
  return memories.active;
}

/** Texts that differ in more than a number. */
function word(a: number, b: number): string {
  return createDeveloperTexts(a * 1_000 + b).question();
}
