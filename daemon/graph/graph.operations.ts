// The graph in the words of the catalogue. The reader thread finds rows; what they are called and what may be asked is said here.
import type { CallContext } from '#daemon/kernel/context.ts';
import { implement, type Operation } from '#daemon/kernel/operation.ts';
import { isAllowed } from '#daemon/kernel/scopes.ts';
import type { GraphAroundAnswer } from '#daemon/storage/graph-types.ts';
import {
  getGraph,
  getMemoryGraph,
  getSubgraph,
  type NodeType,
  nodeTypes,
  searchEverything,
} from '#shared/contract/knowledge/graph.ts';
import type { ThingScope } from '#shared/contract/operation.ts';
import { invalidField, LociError } from '#shared/errors.ts';
import type { GraphDeps } from './deps.ts';
import { countsOf, edgesToWords, nodeToWords, readNodeId } from './node-words.ts';
import { searchAllKinds } from './search-everything.ts';

export function graphOperations(deps: GraphDeps): Operation[] {
  return [
    implement(getGraph, async (input, context) => {
      const { limit, offset } = input;
      refuseAbove(deps, 'limit', limit);
      const kinds = visibleKinds(deps, input.node_types, context).filter(
        (kind) => input.node_types !== undefined || input.include_entities || kind !== 'entity',
      );
      const projectId = input.project_id ?? null;
      if (projectId !== null) await requireProject(deps, projectId, context);
      const found = await deps.reader.ask('graphPage', {
        userId: context.userId,
        kinds,
        projectId,
        sortBy: input.sort_by,
        ascending: input.sort_order === 'asc',
        limit,
        offset,
        maxNodes: Math.max(limit, deps.maxNodes),
        nowMs: deps.clock.now(),
      });
      const nodes = found.nodes.map(nodeToWords);
      const edges = edgesToWords(found.edges);
      const counts = countsOf(nodes, edges);
      const has_more = offset + counts.memory_count < found.memories && counts.memory_count > 0;
      const page = { total_memory_count: found.memories, offset, limit, has_more, truncated: found.truncated };
      return { nodes, edges, meta: { ...counts, ...page } };
    }),
    implement(getSubgraph, async (input, context) => {
      const { node_id, depth } = input;
      const center = readNodeId(node_id);
      const max_nodes = input.max_nodes ?? Math.min(defaultMaxNodes, deps.maxNodes);
      refuseAbove(deps, 'max_nodes', max_nodes);
      const kinds = visibleKinds(deps, input.node_types, context);
      if (!visibleKinds(deps, undefined, context).includes(center.kind)) throw missing(center);
      const found = await walk(deps, { center, depth, kinds, maxNodes: max_nodes }, context);
      const nodes = found.nodes.map((row) => ({ ...nodeToWords(row), depth: row.depth }));
      const edges = edgesToWords(found.edges);
      const meta = {
        ...countsOf(nodes, edges),
        center_node_id: node_id,
        depth,
        node_types: kinds,
        max_nodes,
        node_count: nodes.length,
        truncated: found.truncated,
      };
      return { nodes, edges, meta };
    }),
    implement(getMemoryGraph, async ({ id, depth }, context) => {
      const kinds = visibleKinds(deps, undefined, context).filter((kind) => kind === 'memory' || kind === 'entity');
      const request = { center: { kind: 'memory' as const, id }, depth, kinds, maxNodes: deps.maxNodes };
      const found = await walk(deps, request, context);
      const nodes = found.nodes.map((row) => ({ ...nodeToWords(row), level: row.depth }));
      const edges = edgesToWords(found.edges);
      const meta = { ...countsOf(nodes, edges), depth, truncated: found.truncated };
      return { nodes, edges, center_memory_id: id, meta };
    }),
    implement(searchEverything, async (input, context) => searchAllKinds(deps, input, context)),
  ];
}

const defaultMaxNodes = 200;

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

const scopes: Readonly<Record<NodeType, ThingScope>> = {
  memory: 'memories',
  entity: 'entities',
  project: 'projects',
  document: 'documents',
  code_artifact: 'code_artifacts',
  file: 'files',
  skill: 'skills',
  plan: 'plans',
  task: 'tasks',
};

/** The kinds that are asked for, or all; less what a setting turned off and what the caller may not read. Throws where such a kind is asked for by name. */
export function visibleKinds(
  deps: Pick<GraphDeps, 'turnedOff'>,
  asked: readonly NodeType[] | undefined,
  context: CallContext,
): NodeType[] {
  for (const kind of asked ?? []) {
    const setting = deps.turnedOff.get(kind);
    if (setting !== undefined) {
      throw invalidField('node_types', `The kind ${kind} is turned off: set ${setting} to true to use it.`);
    }
    if (!isAllowed(context.scopes, `read:${scopes[kind]}`)) {
      throw new LociError('forbidden', `The kind ${kind} needs the scope 'read:${scopes[kind]}'.`);
    }
  }
  return nodeTypes.filter(
    (kind) =>
      (asked === undefined || asked.length === 0 || asked.includes(kind)) &&
      !deps.turnedOff.has(kind) &&
      isAllowed(context.scopes, `read:${scopes[kind]}`),
  );
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
