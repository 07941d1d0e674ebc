// The one memory record as every surface shows it, and the enumerations that go with it.
import { z } from 'zod';
import { id, utc } from './common.ts';

export const memoryTypes = ['fact', 'decision', 'preference', 'task', 'context'] as const;
export const memoryStatuses = ['active', 'archived', 'obsolete'] as const;
export const provenances = ['save', 'checkpoint', 'debate', 'human'] as const;
export const tiers = ['regular', 'core'] as const;

export type MemoryType = (typeof memoryTypes)[number];
export type MemoryStatus = (typeof memoryStatuses)[number];
export type Provenance = (typeof provenances)[number];
export type Tier = (typeof tiers)[number];

export const memoryRecord = z.object({
  id,
  uid: z.string(),
  status: z.enum(memoryStatuses),
  type: z.enum(memoryTypes),
  title: z.string(),
  content: z.string(),
  context: z.string().nullable(),
  problem: z.string().nullable(),
  solution: z.string().nullable(),
  concepts: z.array(z.string()),
  tags: z.array(z.string()),
  files: z.array(z.string()),
  project: z.string().nullable(),
  projects: z.array(z.object({ id, name: z.string() })),
  category: z.string().nullable(),
  key: z.string().nullable(),
  importance: z.int(),
  confidence: z.number(),
  provenance: z.enum(provenances),
  tier: z.enum(tiers),
  source: z.string().nullable(),
  source_context: z.string().nullable(),
  source_repo: z.string().nullable(),
  source_url: z.string().nullable(),
  encoding_agent: z.string().nullable(),
  encoding_version: z.string().nullable(),
  session: z.string().nullable(),
  sequence: z.int().nullable(),
  author: z.string().nullable(),
  agent: z.string().nullable(),
  branch: z.string().nullable(),
  worktree: z.string().nullable(),
  pinned: z.boolean(),
  decay: z.number(),
  access_count: z.int(),
  last_accessed_at: utc.nullable(),
  created_at: utc,
  updated_at: utc,
  occurred_at: utc,
  valid_from: utc.nullable(),
  valid_to: utc.nullable(),
  expires_at: utc.nullable(),
  obsolete_reason: z.string().nullable(),
  supersedes: z.array(id),
  superseded_by: id.nullable(),
  links: z.array(id),
  entities: z.array(z.object({ id, name: z.string() })),
  history: z.int(),
  metadata: z.record(z.string(), z.unknown()),
});

export type MemoryRecord = z.output<typeof memoryRecord>;
