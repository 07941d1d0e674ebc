// Every kind of record of an export, as docs/export-format.md describes it. A field that a kind does not have is refused by its name:
// a misspelt one would else be lost without a word.
import { z } from 'zod';
import type { RecordKind } from '#daemon/storage/records/kinds.ts';
import { entityTypes } from '#shared/contract/knowledge/entities.ts';
import { planStatuses } from '#shared/contract/knowledge/plans.ts';
import { taskPriorities, taskStates } from '#shared/contract/knowledge/tasks.ts';
import { memoryStatuses, memoryTypes, provenances, tiers } from '#shared/contract/memory-record.ts';
import {
  anyText,
  count,
  emptyText,
  instant,
  object,
  optionalInstant,
  optionalShare,
  optionalText,
  optionalUid,
  provenance,
  shortText,
  someText,
  stamps,
  texts,
  uid,
  uids,
} from './field-schemas.ts';

const fieldTimes = z.record(z.string(), instant).nullable().default(null);
const named = (kind: RecordKind) => ({ kind: z.literal(kind), uid, ...stamps, field_times: fieldTimes });
const linkable = ['file', 'code_artifact', 'document', 'memory', 'skill', 'entity'] as const;
const end = z.strictObject({ kind: z.enum(linkable), uid });

/** What a version of a memory holds; versions were written by many versions of Loci, so no field is required and none refused. */
const snapshot = z.looseObject({
  content: anyText.optional(),
  projects: z.array(uid).default([]),
  superseded_by: optionalUid,
});

const version = z.strictObject({
  action: shortText(100),
  agent: optionalText,
  from: instant,
  to: instant,
  snapshot,
});

const criterion = z.strictObject({
  description: someText,
  met: z.boolean().default(false),
  met_at: optionalInstant,
  created_at: instant,
  updated_at: instant,
});

const memory = z
  .strictObject({
    ...named('memory'),
    status: z.enum(memoryStatuses).default('active'),
    type: z.enum(memoryTypes).default('fact'),
    title: optionalText,
    content: someText,
    context: optionalText,
    problem: optionalText,
    solution: optionalText,
    concepts: texts,
    tags: texts,
    files: texts,
    category: optionalText,
    key: optionalText,
    importance: z.int().min(1).max(10).default(5),
    confidence: z.number().min(0).max(1).default(0.5),
    provenance: z.enum(provenances).default('save'),
    provenance_class: shortText(40).default('import'),
    tier: z.enum(tiers).default('regular'),
    source: optionalText,
    source_context: optionalText,
    source_repo: optionalText,
    source_url: optionalText,
    encoding_agent: optionalText,
    encoding_version: optionalText,
    agent_id: optionalText,
    agent_version: optionalText,
    agent_model: optionalText,
    agent: optionalText,
    session: optionalText,
    sequence: z.int().nullable().default(null),
    author: optionalText,
    branch: optionalText,
    worktree: optionalText,
    pinned: z.boolean().default(false),
    access_count: count,
    last_accessed_at: optionalInstant,
    occurred_at: instant,
    valid_from: optionalInstant,
    valid_to: optionalInstant,
    expires_at: optionalInstant,
    obsolete_reason: optionalText,
    obsoleted_at: optionalInstant,
    metadata: object,
    superseded_by: optionalUid,
    projects: uids,
    kept_apart_at: optionalInstant,
    united: z.array(z.strictObject({ uid, by: z.enum(['merge', 'summary']) })).default([]),
    history: z.array(version).default([]),
  })
  .refine(({ category, key }) => (category === null) === (key === null), {
    error: 'is needed beside `category`, and only there',
    path: ['key'],
  });

export const recordSchemas = {
  project: z.strictObject({
    ...named('project'),
    name: shortText(1_000),
    description: emptyText,
    project_type: shortText(100).default('development'),
    status: z.enum(['active', 'archived', 'completed']).default('active'),
    repo_name: optionalText,
    last_encoding_point: optionalText,
    notes: optionalText,
    metadata: object,
    ...provenance,
    aliases: texts,
  }),
  memory,
  document: z.strictObject({
    ...named('document'),
    title: someText,
    description: emptyText,
    document_type: shortText(200).default('text'),
    filename: optionalText,
    content: someText,
    tags: texts,
    ...provenance,
    project: optionalUid,
  }),
  code_artifact: z.strictObject({
    ...named('code_artifact'),
    title: someText,
    description: emptyText,
    language: shortText(200),
    framework: optionalText,
    version: optionalText,
    code: someText,
    tags: texts,
    ...provenance,
    project: optionalUid,
  }),
  file: z.strictObject({
    ...named('file'),
    filename: someText,
    description: emptyText,
    mime_type: shortText(500).default('application/octet-stream'),
    tags: texts,
    ...provenance,
    project: optionalUid,
    data: z.base64({ error: 'must be base64' }),
  }),
  skill: z.strictObject({
    ...named('skill'),
    name: shortText(200),
    description: someText,
    license: optionalText,
    compatibility: optionalText,
    content: someText,
    allowed_tools: texts,
    tags: texts,
    importance: z.int().min(1).max(10).default(7),
    metadata: object,
    ...provenance,
    project: optionalUid,
  }),
  entity: z
    .strictObject({
      ...named('entity'),
      name: shortText(1_000),
      entity_type: z.enum(entityTypes),
      custom_type: optionalText,
      notes: optionalText,
      tags: texts,
      aka: texts,
      metadata: object,
      ...provenance,
      projects: uids,
    })
    .refine(({ entity_type, custom_type }) => (entity_type === 'Other') === (custom_type !== null), {
      error: 'is needed for an Other, and only there',
      path: ['custom_type'],
    }),
  relationship: z
    .strictObject({
      ...named('relationship'),
      relationship_type: shortText(200),
      strength: optionalShare,
      metadata: object,
      ...provenance,
      source: uid,
      target: uid,
    })
    .refine(({ source, target }) => source !== target, { error: 'must not be the source', path: ['target'] }),
  plan: z.strictObject({
    ...named('plan'),
    title: someText,
    goal: optionalText,
    context: optionalText,
    status: z.enum(planStatuses).default('draft'),
    external_ref: optionalText,
    provenance: object,
    project: uid,
  }),
  task: z.strictObject({
    ...named('task'),
    title: someText,
    description: optionalText,
    state: z.enum(taskStates).default('todo'),
    priority: z.enum(taskPriorities).default('P2'),
    assigned_agent: optionalText,
    version: z.int().min(1).max(Number.MAX_SAFE_INTEGER).default(1),
    lease_expires_at: optionalInstant,
    provenance: object,
    plan: uid,
    criteria: z.array(criterion).default([]),
  }),
  dependency: z.strictObject({ kind: z.literal('dependency'), task: uid, depends_on: uid, created_at: instant }),
  link: z
    .strictObject({
      kind: z.literal('link'),
      from: end,
      to: end,
      origin: z.enum(['manual', 'automatic']).nullable().default(null),
      created_at: instant,
    })
    .refine(({ from, to }) => from.uid !== to.uid, { error: 'must not be the other end', path: ['to'] })
    .refine(({ from, to }) => from.kind !== to.kind || from.kind === 'memory', {
      error: 'must be of another kind: of one kind only memories are linked',
      path: ['to'],
    }),
} satisfies Record<RecordKind, z.ZodObject>;
