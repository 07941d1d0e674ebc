// Looking through everything that is stored, as a person does who keeps it in order. A search ranks what fits a question; these
// list, count and compare whatever there is. None of them counts as an access.
import { z } from 'zod';
import { id, instant, project, requiredText, share, text, utc } from './common.ts';
import { pluginWarnings } from './knowledge/plugin-warnings.ts';
import { memoryRecord, memoryStatuses, memoryTypes, tiers } from './memory-record.ts';
import { defineContract, readOnlyHints, updateHints } from './operation.ts';

export const ageBands = ['day', 'week', 'month', 'quarter', 'year', 'older'] as const;

const facet = z.array(z.object({ value: z.string().nullable(), count: z.int() }));

export const memoryLine = z.object({
  id,
  title: z.string(),
  excerpt: z.string(),
  type: z.enum(memoryTypes),
  tier: z.enum(tiers),
  status: z.enum(memoryStatuses),
  project: z.string().nullable(),
  agent: z.string().nullable(),
  pinned: z.boolean(),
  importance: z.int(),
  confidence: share,
  created_at: utc,
  updated_at: utc,
  expires_at: utc.nullable(),
});

export const memoryList = defineContract({
  name: 'memory_list',
  title: 'List memories',
  description:
    'List memories a page at a time, with filters and counts, to look through what is stored. To find what fits a question use memory_search.',
  category: 'lifecycle',
  input: z.strictObject({
    ids: z.array(id).max(200).optional().describe('only these, whatever their status, in this order'),
    project: project.optional().describe('only this project'),
    type: z.enum(memoryTypes).optional(),
    tier: z.enum(tiers).optional(),
    status: z.enum([...memoryStatuses, 'any']).default('active'),
    agent: text(100).optional().describe('only what this client wrote'),
    age: z.enum(ageBands).optional().describe('learned within the last day, week, month …'),
    pinned: z.boolean().optional(),
    created_since: instant.optional(),
    sort: z.enum(['updated', 'created', 'importance']).default('updated'),
    limit: z.int().min(1).max(200).default(50),
    offset: z.int().min(0).max(1_000_000_000).default(0),
    facets: z.boolean().default(false).describe('also count by project, type, tier, status, agent and age'),
  }),
  output: z.object({
    memories: z.array(memoryLine),
    total: z.int(),
    limit: z.int(),
    offset: z.int(),
    has_more: z.boolean(),
    /** Each counted under all filters but its own. */
    facets: z.object({ project: facet, type: facet, tier: facet, status: facet, agent: facet, age: facet }).optional(),
  }),
  hints: readOnlyHints,
  scope: 'read:memories',
  http: [{ method: 'GET', path: '/memories' }],
  cli: { command: 'list', flags: { n: 'limit' } },
});

export const memoryMerge = defineContract({
  name: 'memory_merge',
  title: 'Merge two memories',
  description:
    'Unite two memories that say the same: the first takes over what the second says, which becomes obsolete and points to it. Only when the user asks; where the two contradict each other use memory_update with supersedes.',
  category: 'lifecycle',
  input: z.strictObject({
    id: id.describe('the memory that stays'),
    from: id.describe('the memory that it takes over'),
    content: requiredText(20_000).optional().describe('what the union says; default: the sentences of both, each once'),
    idempotency_key: text(200).optional(),
  }),
  output: memoryRecord.extend(pluginWarnings),
  examples: [{ id: 1, from: 2 }],
  hints: updateHints,
  scope: 'write:memories',
  http: [{ method: 'POST', path: '/memories/:id/merge' }],
  cli: { command: 'merge', positional: ['id', 'from'] },
});

export const memoryConflicts = defineContract({
  name: 'memory_conflicts',
  title: 'List possible conflicts',
  description:
    'List pairs of active memories of which the newer nearly says what the older says and differs in a number, name or negation, and which nobody has settled. Settle one by memory_update with supersedes, memory_merge, memory_archive, or memory_settle to keep both.',
  category: 'lifecycle',
  input: z.strictObject({ limit: z.int().min(1).max(100).default(50) }),
  output: z.object({
    conflicts: z.array(
      z.object({ newer: memoryLine, older: memoryLine, similarity: z.number().nullable(), found_at: utc }),
    ),
    has_more: z.boolean(),
  }),
  hints: readOnlyHints,
  scope: 'read:memories',
  http: [{ method: 'GET', path: '/memories/conflicts' }],
  cli: { command: 'conflicts', flags: { n: 'limit' } },
});

export const memorySettle = defineContract({
  name: 'memory_settle',
  title: 'Keep both memories',
  description:
    'Say of two memories in a possible conflict that both hold: memory_conflicts no longer lists them. settled false lists them again. Only when the user has decided.',
  category: 'lifecycle',
  input: z.strictObject({
    id: id.describe('the newer one'),
    with: id.describe('the older one'),
    settled: z.boolean().default(true),
    idempotency_key: text(200).optional(),
  }),
  output: z.object({ id, with: id, settled: z.boolean() }),
  examples: [{ id: 2, with: 1 }],
  hints: updateHints,
  scope: 'write:memories',
  http: [{ method: 'POST', path: '/memories/:id/settle' }],
});

export const browseContracts = [memoryList, memoryMerge, memoryConflicts, memorySettle] as const;
