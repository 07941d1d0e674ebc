// The graph of everything: which things there are and what ties them together; and one search over all kinds.
import { z } from 'zod';
import { id, text } from '../common.ts';
import { defineContract, readOnlyHints } from '../operation.ts';
import { type NodeType, nodeTypes } from './node-types.ts';

export const edgeTypes = [
  'memory_link',
  'entity_memory',
  'entity_relationship',
  'entity_project',
  'entity_file',
  'memory_project',
  'memory_document',
  'memory_code_artifact',
  'memory_file',
  'memory_skill',
  'document_project',
  'code_artifact_project',
  'file_project',
  'skill_project',
  'skill_file',
  'skill_code_artifact',
  'skill_document',
  'plan_project',
  'plan_task',
] as const;
export type EdgeType = (typeof edgeTypes)[number];

const wantedTypes = z.array(z.enum(nodeTypes)).max(nodeTypes.length).optional().describe('all kinds when absent');
/** Refused above the setting `graph.max_nodes`, which the daemon knows. */
const nodeLimit = z.int().min(1).max(100_000);

const data = z.record(z.string(), z.unknown());
const node = z.object({ id: z.string(), type: z.enum(nodeTypes), label: z.string(), data });
const edge = z.object({
  id: z.string(),
  source: z.string(),
  target: z.string(),
  type: z.enum(edgeTypes),
  data: data.optional(),
});

const counts = Object.fromEntries(
  ['edge', ...nodeTypes, ...edgeTypes].map((type) => [`${type}_count`, z.int()]),
) as Record<`${'edge' | NodeType | EdgeType}_count`, z.ZodInt>;

export const getGraph = defineContract({
  name: 'get_graph',
  title: 'The graph',
  description:
    'Show nodes and edges of the knowledge graph, for drawing or an overview. Notes come a page at a time; the other kinds come whole up to the limit of the server. To look around one thing use get_subgraph.',
  category: 'graph',
  input: z.strictObject({
    project_id: id.optional().describe('only what belongs to this project'),
    node_types: wantedTypes,
    include_entities: z.boolean().default(true).describe('older form of node_types'),
    limit: nodeLimit.optional().describe('notes of a page; 100 when absent'),
    offset: z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
    sort_by: z.enum(['created_at', 'updated_at', 'importance']).default('created_at'),
    sort_order: z.enum(['desc', 'asc']).default('desc'),
  }),
  output: z.object({
    nodes: z.array(node),
    edges: z.array(edge),
    meta: z.object({
      ...counts,
      total_memory_count: z.int(),
      offset: z.int(),
      limit: z.int(),
      has_more: z.boolean(),
      truncated: z.boolean(),
    }),
  }),
  examples: [{ project_id: 1, node_types: ['memory', 'entity'], limit: 50 }],
  hints: readOnlyHints,
  scope: 'read:memories',
  http: [{ method: 'GET', path: '/api/v1/graph', csv: ['node_types'] }],
});

export const getSubgraph = defineContract({
  name: 'get_subgraph',
  title: 'Around one thing',
  description:
    'Show what surrounds one thing of any kind, up to three steps away: nodes with their distance, and every edge between them. Nearest first; truncated says when there was more.',
  category: 'graph',
  input: z.strictObject({
    node_id: text(100).describe('kind and id: memory_12, entity_3, code_artifact_5'),
    depth: z.int().min(1).max(3).default(2),
    node_types: wantedTypes,
    max_nodes: nodeLimit.optional().describe('200 when absent'),
  }),
  output: z.object({
    nodes: z.array(node.extend({ depth: z.int() })),
    edges: z.array(edge),
    meta: z.object({
      ...counts,
      center_node_id: z.string(),
      depth: z.int(),
      node_types: z.array(z.enum(nodeTypes)),
      max_nodes: z.int(),
      node_count: z.int(),
      truncated: z.boolean(),
    }),
  }),
  hints: readOnlyHints,
  scope: 'read:memories',
  http: [{ method: 'GET', path: '/api/v1/graph/subgraph', csv: ['node_types'] }],
  examples: [{ node_id: 'entity_3', depth: 2 }],
});

export const getMemoryGraph = defineContract({
  name: 'get_memory_graph',
  title: 'Around a note',
  description: 'Show the notes and entities around one note. Older form of get_subgraph, which shows every kind.',
  category: 'graph',
  input: z.strictObject({ id, depth: z.int().min(1).max(3).default(1) }),
  output: z.object({
    nodes: z.array(node.extend({ level: z.int() })),
    edges: z.array(edge),
    center_memory_id: id,
    meta: z.object({ ...counts, depth: z.int(), truncated: z.boolean() }),
  }),
  hints: readOnlyHints,
  scope: 'read:memories',
  http: [{ method: 'GET', path: '/api/v1/graph/memory/:id' }],
});

/** Kinds that have a text to search. */
export const searchedKinds = ['memory', 'entity', 'document', 'code_artifact', 'skill'] as const;
export type SearchedKind = (typeof searchedKinds)[number];

export const searchEverything = defineContract({
  name: 'search_everything',
  title: 'Search all kinds',
  description:
    'Find anything by keyword and meaning: notes, entities, documents, code artifacts, skills, best first. Each hit names its kind and id; read it whole by get_memory, get_document and the like. For notes with their links use query_memory.',
  category: 'graph',
  input: z.strictObject({
    query: text(10_000).describe('what to look for, in plain words'),
    kinds: z.array(z.enum(searchedKinds)).max(searchedKinds.length).optional().describe('all when absent'),
    project_ids: z.array(id).max(100).optional().describe('any of these'),
    limit: z.int().min(1).max(100).default(10),
  }),
  output: z.object({
    query: z.string(),
    results: z.array(
      z.object({
        kind: z.enum(searchedKinds),
        id,
        title: z.string(),
        summary: z.string(),
        /** The headings above the passage that was found, where the text has any. */
        heading_path: z.array(z.string()).nullable(),
        project_ids: z.array(id),
        score: z.number(),
        similarity: z.number().nullable(),
        keyword: z.number().nullable(),
        updated_at: z.string(),
      }),
    ),
    total_count: z.int(),
    degraded: z.array(z.string()),
  }),
  hints: readOnlyHints,
  scope: 'read:memories',
  http: [
    { method: 'POST', path: '/api/v1/search' },
    { method: 'GET', path: '/api/v1/search', aliases: { q: 'query' }, csv: ['kinds', 'project_ids'] },
  ],
  cli: { command: 'find', positional: ['query'], flags: { n: 'limit', kind: 'kinds' } },
  examples: [{ query: 'how do we deploy' }],
});

export const graphContracts = [searchEverything, getGraph, getSubgraph, getMemoryGraph] as const;
