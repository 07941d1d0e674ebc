// Nodes and edges in the words of the graph: `memory_12`, `entity_3_memory_12`, and what a node shows of its thing.
import { toUtc } from '#daemon/kernel/clock.ts';
import { shownTitle } from '#daemon/memories/index.ts';
import type { EdgeRow, NodeKey, NodeRow } from '#daemon/storage/graph/graph-types.ts';
import { type EdgeType, edgeTypes, type getGraph } from '#shared/contract/knowledge/graph.ts';
import { type NodeType, nodeTypes } from '#shared/contract/knowledge/node-types.ts';
import type { OutputOf } from '#shared/contract/operation.ts';
import { invalidField } from '#shared/errors.ts';

type Node = OutputOf<typeof getGraph>['nodes'][number];
type Edge = OutputOf<typeof getGraph>['edges'][number];

/** Columns that a graph leaves out: they are for summaries of search results, or for a derived title. */
const unshown: ReadonlySet<string> = new Set(['content', 'notes', 'aka', 'updated_at', 'type', 'custom_type']);
const lists: ReadonlySet<string> = new Set(['tags', 'aka']);
const times: ReadonlySet<string> = new Set(['created_at', 'updated_at']);

export function nodeToWords({ kind, id, columns }: NodeRow): Node {
  const label = labelOf({ kind, columns });
  const shown = Object.entries(columns)
    .filter(([name]) => !unshown.has(name))
    .map(([name, value]) => [name, wordOf(name, value)]);
  const title = 'title' in columns ? { title: label } : {};
  return { id: `${kind}_${id}`, type: kind as NodeType, label, data: { id, ...Object.fromEntries(shown), ...title } };
}

/** What a thing is called. */
export function labelOf({ kind, columns }: Pick<NodeRow, 'kind' | 'columns'>): string {
  if (kind === 'memory') {
    return shownTitle({ title: columns.title as string | null, content: String(columns.content ?? '') });
  }
  return String(columns.title ?? columns.name ?? columns.filename ?? '');
}

/** Edges, each pair of entities once: what else the two are to each other stands in `data.relationships`. */
export function edgesToWords(rows: readonly EdgeRow[]): Edge[] {
  const edges = new Map<string, Edge>();
  for (const row of rows) {
    const made = edgeToWords(row);
    const known = edges.get(made.id);
    if (known === undefined) edges.set(made.id, made);
    else relationshipsOf(known).push(...relationshipsOf(made));
  }
  return [...edges.values()];
}

function edgeToWords({ type, from, to, columns }: EdgeRow): Edge {
  const [source, target] = [nameOf(from), nameOf(to)];
  if (columns === undefined) return { id: `${source}_${target}`, source, target, type: type as EdgeType };
  const { id, relationship_type, strength, confidence } = columns;
  const metadata = JSON.parse(String(columns.metadata ?? '{}')) as unknown;
  const relationship = { id, source, target, relationship_type, strength, confidence, metadata };
  const [low, high] = from.id < to.id ? [source, target] : [target, source];
  return {
    id: `${low}_${high}`,
    source,
    target,
    type: type as EdgeType,
    data: { relationship_type, strength, confidence, metadata, relationships: [relationship] },
  };
}

function relationshipsOf(edge: Edge): unknown[] {
  return (edge.data?.relationships as unknown[] | undefined) ?? [];
}

type Counted = `${'edge' | NodeType | EdgeType}_count`;

/** How many nodes and edges of each type there are; every type is named. */
export function countsOf(nodes: readonly Pick<Node, 'type'>[], edges: readonly Edge[]): Record<Counted, number> {
  const counts: Record<string, number> = { edge_count: edges.length };
  for (const type of [...nodeTypes, ...edgeTypes]) counts[`${type}_count`] = 0;
  for (const { type } of [...nodes, ...edges]) counts[`${type}_count`] = (counts[`${type}_count`] ?? 0) + 1;
  return counts as Record<Counted, number>;
}

/** `code_artifact_5` → its kind and id. Throws `invalid_input` that shows the form. */
export function readNodeId(nodeId: string): NodeKey & { readonly kind: NodeType } {
  const match = /^([a-z_]+)_([1-9]\d{0,15})$/.exec(nodeId);
  const kind = nodeTypes.find((known) => known === match?.[1]);
  const id = Number(match?.[2]);
  if (kind !== undefined && Number.isSafeInteger(id)) return { kind, id };
  throw invalidField(
    'node_id',
    `\`node_id\` must be a kind and an id, such as memory_12 or code_artifact_5; kinds are ${nodeTypes.join(', ')}.`,
  );
}

function nameOf({ kind, id }: NodeKey): string {
  return `${kind}_${id}`;
}

function wordOf(name: string, value: string | number | null): unknown {
  if (lists.has(name)) return JSON.parse(String(value ?? '[]'));
  return times.has(name) ? toUtc(value as number | null) : value;
}
