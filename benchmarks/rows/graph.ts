// Walks and lists over a grown graph. A level of a walk is one statement and every list reads an index, so both have bars of their own.
import type { Bench } from '../bench.ts';
import { limitFinding } from '../figures.ts';
import type { RunningDaemon } from '../processes/running-daemon.ts';
import { copyGraphHome, graphSize } from '../store/graph-home.ts';
import type { Workshop } from '../workshop.ts';

const rounds = 60;

export const graphBenches: readonly Bench[] = [{ name: 'graph', run: graph }];

async function graph(workshop: Workshop) {
  const home = workshop.emptyHome();
  await copyGraphHome(home, workshop.say);
  const daemon = await workshop.daemon(home);
  const at = (round: number, of: number): number => 1 + ((round * 389 + 7) % of);
  const walk = (node_id: string) => ({ node_id, depth: 2, max_nodes: 200 });
  const rows = [
    ['subgraph of depth 2 around a memory', 50, 'get_subgraph', (n) => walk(`memory_${at(n, graphSize.memories)}`)],
    ['subgraph of depth 2 around an entity', 50, 'get_subgraph', (n) => walk(`entity_${at(n, graphSize.entities)}`)],
    [
      'subgraph of 200 nodes',
      50,
      'get_subgraph',
      (n) => ({ ...walk(`entity_${at(n, graphSize.entities)}`), depth: 3 }),
    ],
    ['10 entities', 10, 'list_entities', (n) => ({ limit: 10, offset: n * 10 })],
    ['10 entities of a tag', 10, 'list_entities', (n) => ({ limit: 10, tags: [`team-${n % 20}`] })],
    ['search of an entity by a part of its name', 10, 'search_entities', (n) => ({ query: `vice ${n}`, limit: 10 })],
    ['relationships of an entity', 10, 'get_entity_relationships', (n) => ({ entity_id: at(n, graphSize.entities) })],
    ['graph, a page of 100 memories with 1,000 entities', 150, 'get_graph', (n) => ({ limit: 100, offset: n * 100 })],
  ] as const satisfies readonly (readonly [string, number, string, (round: number) => object])[];
  const findings = [];
  for (const [what, atMost, operation, inputOf] of rows) {
    findings.push(limitFinding({ what, atMost, values: await times(daemon, operation, inputOf) }));
  }
  return findings;
}

async function times(daemon: RunningDaemon, operation: string, inputOf: (round: number) => object): Promise<number[]> {
  await daemon.time(operation, inputOf(0));
  const values: number[] = [];
  for (let round = 1; round <= rounds; round += 1) values.push(await daemon.time(operation, inputOf(round)));
  return values;
}
