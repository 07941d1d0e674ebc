// What keeps the store small and true: consolidation, clean-up, and the agent's own memory files. Each has a dry run that shows
// the plan of the run, and none erases anything.
import { z } from 'zod';
import { id, project, text } from './common.ts';
import { defineContract, updateHints } from './operation.ts';

const titled = z.object({ id, title: z.string() });

export const memoryConsolidate = defineContract({
  name: 'memory_consolidate',
  title: 'Consolidate memories',
  description:
    'Unite fading memories that say nearly the same into one; the originals are archived and point to it. Runs by itself after every ten saves and every day, so call it only when the user asks. Look at dry_run first; memory_undo_consolidation takes it back.',
  category: 'lifecycle',
  input: z.strictObject({
    project: project.optional().describe('only this project; default: all'),
    dry_run: z.boolean().default(false).describe('say what would be united and change nothing'),
    idempotency_key: text(200).optional(),
  }),
  output: z.object({
    clusters: z.int(),
    /** `id` is null in a dry run. */
    created: z.array(
      z.object({ id: id.nullable(), title: z.string(), from: z.array(id), by: z.enum(['merge', 'summary']) }),
    ),
    archived: z.array(titled.extend({ superseded_by: id.nullable() })),
    /** Fading memories that were looked at; fewer than `consolidate.min_candidates` are left alone. */
    candidates: z.int(),
    dry_run: z.boolean(),
  }),
  hints: updateHints,
  scope: 'write:memories',
  http: [{ method: 'POST', path: '/memories/consolidate' }],
});

export const memoryUndoConsolidation = defineContract({
  name: 'memory_undo_consolidation',
  title: 'Undo a consolidation',
  description:
    'Bring back the memories that a consolidation united, and archive the united one. They are not united again. Pass the id that memory_consolidate created.',
  category: 'lifecycle',
  input: z.strictObject({ id, idempotency_key: text(200).optional() }),
  output: z.object({ id, restored: z.array(id) }),
  examples: [{ id: 6 }],
  hints: updateHints,
  scope: 'write:memories',
  http: [{ method: 'POST', path: '/memories/:id/undo-consolidation' }],
});

export const memoryClean = defineContract({
  name: 'memory_clean',
  title: 'Clean up memories',
  description:
    'Archive what has expired, what has faded and what says the same as another memory, and refresh MEMORY.md. Nothing is erased. Runs by itself every day, so call it only when the user asks; dry_run shows the plan.',
  category: 'lifecycle',
  input: z.strictObject({
    dry_run: z.boolean().default(false).describe('say what would be archived and change nothing'),
    idempotency_key: text(200).optional(),
  }),
  output: z.object({
    expired: z.array(titled),
    decayed: z.array(titled),
    duplicates: z.array(titled.extend({ kept: id, similarity: z.number() })),
    memory_md: z.array(
      z.object({
        file: z.string(),
        project: z.string(),
        memories: z.array(id),
        outcome: z.enum(['refreshed', 'unchanged', 'left alone']),
        why: z.string().optional(),
      }),
    ),
    dry_run: z.boolean(),
  }),
  hints: updateHints,
  scope: 'write:memories',
  http: [{ method: 'POST', path: '/memories/clean' }],
  cli: { command: 'clean' },
});

const root = text(4_096).describe("folder with the memory files; default: the agent's own");

export const memoryCompress = defineContract({
  name: 'memory_compress',
  title: 'Compress memory files',
  description:
    'Replace .md memory files whose text is stored as a memory by stubs of two lines that name it. The originals are kept; memory_restore_files writes them back byte for byte. Only when the user asks.',
  category: 'lifecycle',
  input: z.strictObject({
    dry_run: z.boolean().default(false).describe('say what would be replaced and change nothing'),
    root: root.optional(),
    idempotency_key: text(200).optional(),
  }),
  output: z.object({
    files: z.int(),
    bytes_before: z.int(),
    bytes_after: z.int(),
    compressed: z.array(z.object({ file: z.string(), memory: id, bytes_before: z.int(), bytes_after: z.int() })),
    dry_run: z.boolean(),
  }),
  hints: updateHints,
  scope: 'write:memories',
  http: [{ method: 'POST', path: '/memories/compress' }],
  cli: { command: 'compress' },
});

export const memoryRestoreFiles = defineContract({
  name: 'memory_restore_files',
  title: 'Restore memory files',
  description:
    'Write the .md memory files that memory_compress replaced back, byte for byte. A file that was changed since is left alone. Only when the user asks.',
  category: 'lifecycle',
  input: z.strictObject({
    dry_run: z.boolean().default(false).describe('say what would be written and change nothing'),
    idempotency_key: text(200).optional(),
  }),
  output: z.object({
    files: z.int(),
    restored: z.array(z.object({ file: z.string(), bytes: z.int() })),
    left_alone: z.array(z.object({ file: z.string(), why: z.string() })),
    dry_run: z.boolean(),
  }),
  hints: updateHints,
  scope: 'write:memories',
  http: [{ method: 'POST', path: '/memories/restore-files' }],
  cli: { command: 'restore-md' },
});

export const upkeepContracts = [
  memoryConsolidate,
  memoryUndoConsolidation,
  memoryClean,
  memoryCompress,
  memoryRestoreFiles,
] as const;
