// Words of the knowledge catalogue ↔ questions to the reader thread, which finds rows; what they are called is said by node-words.ts.
import type { CallContext } from '#daemon/kernel/context.ts';
import { implement, type Operation } from '#daemon/kernel/operation.ts';
import type { GraphAroundAnswer } from '#daemon/storage/graph/graph-types.ts';
import { getGraph, getMemoryGraph, getSubgraph, searchEverything } from '#shared/contract/knowledge/graph.ts';
import type { NodeType } from '#shared/contract/knowledge/node-types.ts';
import type { OutputOf, ParsedInputOf } from '#shared/contract/operation.ts';
import { invalidField, LociError } from '#shared/errors.ts';
import type { GraphDeps } from './deps.ts';
import { countsOf, edgesToWords, nodeToWords, readNodeId } from './node-words.ts';
import { searchAllKinds } from './search-everything.ts';
import { visibleKinds } from './visible-kinds.ts';

export function graphOperations(deps: GraphDeps): Operation[] {
  return [
    implement(getGraph, (input, context) => page(deps, input, context)),
    implement(getSubgraph, (input, context) => around(deps, input, context)),
    implement(getMemoryGraph, (input, context) => aroundMemory(deps, input, context)),
    implement(searchEverything, (input, context) => searchAllKinds(deps, input, context)),
  ];
}

/** What an answer holds when the caller does not say, unless `graph.max_nodes` is less. */
const defaultPage = 100;
const defaultMaxNodes = 200;

async function page(
  deps: GraphDeps,
  input: ParsedInputOf<typeof getGraph>,
  context: CallContext,
): Promise<OutputOf<typeof getGraph>> {
  const { offset, node_types: asked, project_id: projectId = null } = input;
  const limit = input.limit ?? Math.min(defaultPage, deps.maxNodes);
  refuseAbove(deps, 'limit', limit);
  const kinds = visibleKinds(deps, asked, context).filter(
    (kind) => asked !== undefined || input.include_entities || kind !== 'entity',
  );
  if (projectId !== null) await requireProject(deps, projectId, context);
  const found = await deps.reader.ask('graphPage', {
    userId: context.userId,
    kinds,
    projectId,
    sortBy: input.sort_by,
    ascending: input.sort_order === 'asc',
    limit,
    offset,
    maxNodes: deps.maxNodes,
    nowMs: deps.clock.now(),
  });
  const nodes = found.nodes.map(nodeToWords);
  const edges = edgesToWords(found.edges);
  const counts = countsOf(nodes, edges);
  const has_more = counts.memory_count > 0 && offset + counts.memory_count < found.memories;
  const place = { total_memory_count: found.memories, offset, limit, has_more, truncated: found.truncated };
  return { nodes, edges, meta: { ...counts, ...place } };
}

async function around(
  deps: GraphDeps,
  input: ParsedInputOf<typeof getSubgraph>,
  context: CallContext,
): Promise<OutputOf<typeof getSubgraph>> {
  const { node_id, depth } = input;
  const center = readNodeId(node_id);
  const max_nodes = input.max_nodes ?? Math.min(defaultMaxNodes, deps.maxNodes);
  refuseAbove(deps, 'max_nodes', max_nodes);
  const kinds = visibleKinds(deps, input.node_types, context);
  if (!visibleKinds(deps, undefined, context).includes(center.kind)) throw missing(center);
  const found = await walk(deps, { center, depth, kinds, maxNodes: max_nodes }, context);
  const nodes = found.nodes.map((row) => ({ ...nodeToWords(row), depth: row.depth }));
  const edges = edgesToWords(found.edges);
  const asked = { center_node_id: node_id, depth, node_types: kinds, max_nodes };
  const meta = { ...countsOf(nodes, edges), ...asked, node_count: nodes.length, truncated: found.truncated };
  return { nodes, edges, meta };
}

async function aroundMemory(
  deps: GraphDeps,
  { id, depth }: ParsedInputOf<typeof getMemoryGraph>,
  context: CallContext,
): Promise<OutputOf<typeof getMemoryGraph>> {
  const kinds = visibleKinds(deps, undefined, context).filter((kind) => kind === 'memory' || kind === 'entity');
  const center = { kind: 'memory', id } as const;
  const found = await walk(deps, { center, depth, kinds, maxNodes: deps.maxNodes }, context);
  const nodes = found.nodes.map((row) => ({ ...nodeToWords(row), level: row.depth }));
  const edges = edgesToWords(found.edges);
  const meta = { ...countsOf(nodes, edges), depth, truncated: found.truncated };
  return { nodes, edges, center_memory_id: id, meta };
}

type Walk = {
  readonly center: { readonly kind: NodeType; readonly id: number };
  readonly depth: number;
  readonly kinds: readonly NodeType[];
  readonly maxNodes: number;
};

async function walk(deps: GraphDeps, request: Walk, context: CallContext): Promise<NonNullable<GraphAroundAnswer>> {
  const { userId } = context;
  const found = await deps.reader.ask('graphAround', { ...request, userId, nowMs: deps.clock.now() });
  if (found === null) throw missing(request.center);
  return found;
}

function refuseAbove(deps: GraphDeps, field: string, value: number): void {
  if (value <= deps.maxNodes) return;
  throw invalidField(field, `\`${field}\` must be a whole number from 1 to ${deps.maxNodes} (graph.max_nodes).`);
}

async function requireProject(deps: GraphDeps, id: number, context: CallContext): Promise<void> {
  const known = await deps.projects.byIds(deps.database.db, context.userId, [id]);
  if (!known.has(id)) throw new LociError('not_found', `Project ${id} not found.`, { project_id: id });
}

function missing({ kind, id }: { readonly kind: string; readonly id: number }): LociError {
  const noun = kind.replace('_', ' ');
  return new LociError('not_found', `${noun[0]?.toUpperCase()}${noun.slice(1)} ${id} not found.`, {
    node_id: `${kind}_${id}`,
  });
}
