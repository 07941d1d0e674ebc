// What is told of the whole store: at the start of a session, as statistics, and of its health. Descriptions are directives to a model.
import { z } from 'zod';
import { id, project, utc } from './common.ts';
import { defineContract, readOnlyHints } from './operation.ts';

const health = z.enum(['ok', 'degraded', 'down']);

export const memorySync = defineContract({
  name: 'memory_sync',
  title: 'Sync with memory',
  description:
    'Call once at the start of a session: says whether memory works, how much it holds and for which projects. It searches nothing.',
  category: 'lifecycle',
  input: z.strictObject({ project: project.optional() }),
  output: z.object({
    health,
    stats: z.object({ active: z.int(), archived: z.int(), obsolete: z.int() }),
    projects: z.array(z.object({ name: z.string(), memories: z.int(), last_saved_at: utc.nullable() })),
    project: z.string().nullable(),
  }),
  hints: readOnlyHints,
  scope: 'read:memories',
  http: [{ method: 'POST', path: '/memories/sync' }],
  cli: { command: 'sync' },
});

export const jobRun = z.object({
  job: z.string(),
  started_at: utc,
  finished_at: utc.nullable(),
  duration_ms: z.int().nullable(),
  outcome: z.enum(['running', 'ok', 'failed', 'interrupted']),
  counts: z.record(z.string(), z.number()),
  error: z.string().nullable(),
});

export const memoryStats = defineContract({
  name: 'memory_stats',
  title: 'Statistics',
  description: 'Counts of memories by status, type, tier, project and age; size on disk; the last runs of the jobs.',
  category: 'lifecycle',
  input: z.strictObject({ project: project.optional() }),
  output: z.object({
    memories: z.object({ active: z.int(), archived: z.int(), obsolete: z.int() }),
    by_type: z.record(z.string(), z.int()),
    by_tier: z.record(z.string(), z.int()),
    by_project: z.array(z.object({ name: z.string(), memories: z.int() })),
    decay: z.object({ fresh: z.int(), aging: z.int(), fading: z.int() }),
    fading_in_30_days: z.int(),
    /** What fades next within those days, soonest first, at most ten. */
    fading_next: z.array(z.object({ id, title: z.string(), fades_at: utc })),
    /** Memories learned in each of the last twelve weeks, oldest first. */
    growth: z.array(z.object({ from: utc, saved: z.int() })),
    accesses: z.int(),
    vectors: z.object({ rows: z.int(), pending: z.int(), model: z.string().nullable() }),
    bytes: z.object({ database: z.int(), vectors: z.int(), backups: z.int() }),
    jobs: z.array(jobRun),
  }),
  hints: readOnlyHints,
  scope: 'read:memories',
  http: [{ method: 'GET', path: '/memories/stats' }],
  cli: { command: 'stats' },
});

export const healthPart = z.object({ status: health, why: z.string().optional() });

export const memoryHealth = defineContract({
  name: 'memory_health',
  title: 'Health',
  description:
    'State of the daemon, database, vector index, embedding model, jobs and disk, each with the reason when it is not ok.',
  category: 'lifecycle',
  input: z.strictObject({}),
  output: z.object({
    status: health,
    version: z.string(),
    pid: z.int(),
    uptime_s: z.number(),
    daemon: healthPart,
    database: healthPart,
    vector_index: healthPart,
    embedder: healthPart.extend({ model: z.string().nullable() }),
    jobs: healthPart,
    disk: healthPart,
    /** In a team alone: whether this daemon does the upkeep for all, and how long ago it last heard what the others did. */
    team: healthPart.extend({ leads: z.boolean(), behind_s: z.number() }).optional(),
    /** The newest backup, and the last trial that restored one; null where there was none. */
    backups: z.object({ last_at: utc.nullable(), rehearsed_at: utc.nullable() }),
  }),
  hints: readOnlyHints,
  scope: 'read:memories',
  cli: { command: 'health' },
});

export const memoryStart = defineContract({
  name: 'memory_start',
  title: 'Start',
  description:
    'Make sure the memory daemon runs; answers where it listens. Calling it when it already runs does no harm.',
  category: 'lifecycle',
  input: z.strictObject({}),
  output: z.object({
    running: z.boolean(),
    version: z.string(),
    pid: z.int(),
    socket: z.string(),
    mcp_socket: z.string(),
    port: z.int().nullable(),
    page: z.string().nullable(),
  }),
  hints: readOnlyHints,
  scope: 'read:memories',
});
