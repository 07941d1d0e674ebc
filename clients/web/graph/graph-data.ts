// The nodes and edges on the screen: a page of everything, or what surrounds one thing; each node can be expanded by what it touches.
import type { getGraph, getSubgraph } from '#shared/contract/knowledge/graph.ts';
import type { OutputOf } from '#shared/contract/operation.ts';
import type { listSettings } from '#shared/contract/page.ts';
import { call } from '../api.ts';

export type GraphNode = OutputOf<typeof getGraph>['nodes'][number];
export type GraphEdge = OutputOf<typeof getGraph>['edges'][number];

export type GraphData = {
  readonly nodes: ReadonlyMap<string, GraphNode>;
  readonly edges: ReadonlyMap<string, GraphEdge>;
  /** There is more than the daemon gives at once. */
  readonly isPartial: boolean;
};

/** More is not drawn: it would be a cloud. The setting `graph.max_nodes` may allow less. */
const maxNodes = 5_000;
const maxAround = 500;

export async function readGraph(center: string | null, signal: AbortSignal): Promise<GraphData> {
  if (center !== null) return readAround(center, 2, signal);
  const input = { limit: Math.min(maxNodes, await allowedNodes()) };
  const { nodes, edges, meta } = await call<typeof getGraph>('get_graph', input, signal);
  return toData(nodes, edges, meta.has_more || meta.truncated);
}

let allowed: Promise<number> | null = null;

/** The setting `graph.max_nodes`; a caller who may not read settings gets the page that everybody gets. */
function allowedNodes(): Promise<number> {
  allowed ??= call<typeof listSettings>('list_settings', {}).then(
    ({ settings }) => Number(settings.find(({ key }) => key === 'graph.max_nodes')?.value ?? 100),
    () => 100,
  );
  return allowed;
}

/** What is `depth` steps around a node. */
export async function readAround(center: string, depth: number, signal?: AbortSignal): Promise<GraphData> {
  const input = { node_id: center, depth, max_nodes: Math.min(maxAround, await allowedNodes()) };
  const { nodes, edges, meta } = await call<typeof getSubgraph>('get_subgraph', input, signal);
  return toData(nodes, edges, meta.truncated);
}

export function unite(a: GraphData, b: GraphData): GraphData {
  return {
    nodes: new Map([...a.nodes, ...b.nodes]),
    edges: new Map([...a.edges, ...b.edges]),
    isPartial: a.isPartial || b.isPartial,
  };
}

/** Nodes that an edge ties to this one, in the order in which they came. */
export function neighboursOf(data: GraphData, id: string): GraphNode[] {
  const ids = new Set<string>();
  for (const { source, target } of data.edges.values()) {
    if (source === id) ids.add(target);
    if (target === id) ids.add(source);
  }
  return [...ids].flatMap((one) => data.nodes.get(one) ?? []);
}

function toData(nodes: readonly GraphNode[], edges: readonly GraphEdge[], isPartial: boolean): GraphData {
  return {
    nodes: new Map(nodes.map((node) => [node.id, node])),
    edges: new Map(edges.map((edge) => [edge.id, edge])),
    isPartial,
  };
}
