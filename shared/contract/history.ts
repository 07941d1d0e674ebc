// The texts that a memory had: to look at, to compare, and to bring back. Descriptions are directives to a model.
import { z } from 'zod';
import { id, text, utc } from './common.ts';
import { pluginWarnings } from './knowledge/plugin-warnings.ts';
import { memoryRecord } from './memory-record.ts';
import { defineContract, readOnlyHints, updateHints } from './operation.ts';

const historyEntry = z.object({
  version: z.int(),
  action: z.string(),
  recorded_from: utc,
  recorded_to: utc.nullable(),
  title: z.string(),
  content: z.string(),
  changed: z.array(z.string()),
  agent: z.string().nullable(),
});

export const memoryHistory = defineContract({
  name: 'memory_history',
  title: 'History of a memory',
  description: 'List every version of a memory, newest first: what it said, from when to when, and what changed it.',
  category: 'lifecycle',
  input: z.strictObject({ id }),
  output: z.object({ id, versions: z.array(historyEntry) }),
  hints: readOnlyHints,
  scope: 'read:memories',
  http: [{ method: 'GET', path: '/memories/:id/history' }],
  cli: { command: 'history', positional: ['id'] },
});

export const memoryDiff = defineContract({
  name: 'memory_diff',
  title: 'Compare two versions',
  description: 'Show what differs between two versions of a memory, field by field; by default the last change.',
  category: 'lifecycle',
  input: z.strictObject({
    id,
    from: z.int().min(1).max(Number.MAX_SAFE_INTEGER).optional().describe('the older version; default: the one before'),
    to: z.int().min(1).max(Number.MAX_SAFE_INTEGER).optional().describe('the newer version; default: the present one'),
  }),
  output: z.object({
    id,
    from: z.int(),
    to: z.int(),
    changes: z.array(z.object({ field: z.string(), old: z.unknown(), new: z.unknown() })),
  }),
  hints: readOnlyHints,
  scope: 'read:memories',
  http: [{ method: 'GET', path: '/memories/:id/diff' }],
  cli: { command: 'diff', positional: ['id'] },
});

export const memoryRevert = defineContract({
  name: 'memory_revert',
  title: 'Revert a memory',
  description: 'Bring back the text and fields of an earlier version of a memory; the present one goes to the history.',
  category: 'lifecycle',
  input: z.strictObject({
    id,
    to: z.int().min(1).max(Number.MAX_SAFE_INTEGER).describe('the version to bring back, as memory_history numbers it'),
    idempotency_key: text(200).optional(),
  }),
  output: memoryRecord.extend(pluginWarnings),
  hints: updateHints,
  scope: 'write:memories',
  http: [{ method: 'POST', path: '/memories/:id/revert' }],
  cli: { command: 'revert', positional: ['id'] },
});
