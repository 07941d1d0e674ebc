// Skills: step-by-step instructions in the Agent Skills format (SKILL.md), found by what they are for.
import { z } from 'zod';
import { id, isBlank, labels, metadata, requiredText, text, utc } from '../common.ts';
import { additiveHints, defineContract, eraseHints, readOnlyHints, updateHints } from '../operation.ts';
import { deleted, idempotencyKey, page, pageOutput } from './listing.ts';
import { provenanceInput, provenanceOutput } from './provenance.ts';

/** 100 KB of UTF-8. */
export const maxSkillBytes = 100 * 1024;
/** A whole SKILL.md: the body, and front matter of at most 48 KB. */
const maxSkillFileBytes = maxSkillBytes + 48 * 1024;

const kebab = /^(?=.{1,64}$)[a-z0-9]+(-[a-z0-9]+)*$/;

const name = z
  .string()
  .refine((value) => kebab.test(value), {
    error: 'must be kebab-case, such as code-review: a-z and 0-9 with single hyphens between, at most 64 characters',
  })
  .meta({ minLength: 1, pattern: kebab.source });

const description = requiredText(1_024);

/** Text of at most so many bytes of UTF-8. */
const bounded = (maxBytes: number, size: string) =>
  z
    .string()
    .refine((value) => fits(value, maxBytes), { error: `must have at most ${maxBytes} bytes (${size}) of UTF-8` });

const content = bounded(maxSkillBytes, '100 KB')
  .refine((value) => !isBlank(value), { error: 'must not be blank' })
  .meta({ minLength: 1 });
const importance = z.int().min(1).max(10);
const skillId = id.optional().describe('the skill; `id` is the same');

const summary = {
  id,
  skill_id: id,
  name: z.string(),
  description: z.string(),
  license: z.string().nullable(),
  tags: z.array(z.string()),
  importance: z.int(),
  project_id: id.nullable(),
  created_at: utc,
  updated_at: utc,
};

export const skillSummary = z.object(summary);
export const skill = z.object({
  ...summary,
  content: z.string(),
  compatibility: z.string().nullable(),
  allowed_tools: z.array(z.string()),
  metadata: z.record(z.string(), z.unknown()),
  ...provenanceOutput,
});

export type Skill = z.output<typeof skill>;

const optionalFields = {
  license: text(100).nullable().optional(),
  compatibility: text(500).nullable().optional().describe('what it needs to run'),
  allowed_tools: labels(50, 200).nullable().optional(),
  metadata: metadata.nullable().optional(),
  tags: labels(10).optional(),
  project_id: id.nullable().optional(),
  ...provenanceInput,
};

export const createSkill = defineContract({
  name: 'create_skill',
  title: 'Create a skill',
  description:
    'Store a procedure as a skill: what it is for in description, the steps in content. The name is kebab-case and taken once. Facts and decisions belong into create_memory.',
  category: 'skill',
  input: z.strictObject({
    name: name.describe('kebab-case'),
    description: description.describe('what it does and when to use it; it is found by this'),
    content: content.describe('Markdown, up to 100 KB'),
    importance: importance.default(7),
    ...optionalFields,
    idempotency_key: idempotencyKey,
  }),
  output: skill,
  hints: additiveHints,
  scope: 'write:skills',
  http: [{ method: 'POST', path: '/api/v1/skills', created: () => true }],
  examples: [
    { name: 'code-review', description: 'Review a pull request step by step', content: '# Code review\n\n1. Read it.' },
  ],
});

export const getSkill = defineContract({
  name: 'get_skill',
  title: 'Get a skill',
  description: 'Read a skill whole by its id, with its steps.',
  category: 'skill',
  input: z.strictObject({ skill_id: skillId, id: id.optional() }),
  output: skill,
  examples: [{ skill_id: 1 }],
  hints: readOnlyHints,
  scope: 'read:skills',
  http: [{ method: 'GET', path: '/api/v1/skills/:id' }],
  cli: { command: 'skill get', positional: ['id'] },
});

export const listSkills = defineContract({
  name: 'list_skills',
  title: 'List skills',
  description: 'List skills without their content, newest first, filtered by project, importance, or any of some tags.',
  category: 'skill',
  input: z.strictObject({
    project_id: id.optional(),
    tags: labels(20).optional().describe('any of these'),
    importance_threshold: importance.optional().describe('at least this'),
    name: text(64).optional().describe('only the skill of exactly this name'),
    ...page,
  }),
  output: z.object({ skills: z.array(skillSummary), ...pageOutput }),
  examples: [{ tags: ['deployment'], importance_threshold: 7 }],
  hints: readOnlyHints,
  scope: 'read:skills',
  http: [{ method: 'GET', path: '/api/v1/skills', csv: ['tags'] }],
  cli: { command: 'skill list', flags: { n: 'limit', tag: 'tags' } },
});

export const searchSkills = defineContract({
  name: 'search_skills',
  title: 'Search skills',
  description:
    'Find the skill for a task by meaning and keyword, best first. Say in plain words what you want to do; then read the skill by get_skill and follow it.',
  category: 'skill',
  input: z.strictObject({
    query: text(10_000).describe('what you want to do'),
    k: z.int().min(1).max(100).default(5),
    project_id: id.optional(),
  }),
  output: z.object({
    skills: z.array(skillSummary.extend({ score: z.number(), similarity: z.number().nullable() })),
    total_count: z.int(),
    total: z.int(),
    search_query: z.string(),
    query: z.string(),
    degraded: z.array(z.string()),
  }),
  examples: [{ query: 'how to deploy to production', k: 3 }],
  hints: readOnlyHints,
  scope: 'read:skills',
  http: [
    { method: 'GET', path: '/api/v1/skills/search', aliases: { q: 'query' } },
    { method: 'POST', path: '/api/v1/skills/search' },
  ],
  cli: { command: 'skill search', positional: ['query'], flags: { n: 'k' } },
});

export const updateSkill = defineContract({
  name: 'update_skill',
  title: 'Update a skill',
  description:
    'Change fields of a skill; only what you pass changes. Lists and metadata are replaced whole, null clears. A name that another skill has is refused.',
  category: 'skill',
  input: z.strictObject({
    skill_id: skillId,
    id: id.optional(),
    name: name.optional(),
    description: description.optional(),
    content: content.optional(),
    importance: importance.optional(),
    ...optionalFields,
    idempotency_key: idempotencyKey,
  }),
  output: skill,
  examples: [{ skill_id: 1, importance: 9 }],
  hints: updateHints,
  scope: 'write:skills',
  http: [
    { method: 'PATCH', path: '/api/v1/skills/:id' },
    { method: 'PUT', path: '/api/v1/skills/:id' },
  ],
});

export const deleteSkill = defineContract({
  name: 'delete_skill',
  title: 'Delete a skill',
  description: 'Erase a skill for good. What it was linked to stays. Only when the user asks.',
  category: 'skill',
  input: z.strictObject({ skill_id: skillId, id: id.optional(), idempotency_key: idempotencyKey }),
  output: deleted.extend({ skill_id: id }),
  examples: [{ skill_id: 1 }],
  hints: eraseHints,
  scope: 'write:skills',
  http: [{ method: 'DELETE', path: '/api/v1/skills/:id' }],
});

const skillFile = bounded(maxSkillFileBytes, '148 KB').optional();

export const importSkill = defineContract({
  name: 'import_skill',
  title: 'Import a SKILL.md',
  description:
    'Store a skill from the text of a SKILL.md: YAML front matter with name and description between lines of ---, then Markdown. Importing the same text again changes nothing; another text under a name that is taken is refused.',
  category: 'skill',
  input: z.strictObject({
    skill_md_content: skillFile.describe('the whole file; `skill_md` is the same'),
    skill_md: skillFile,
    project_id: id.nullable().optional(),
    importance: importance.optional().describe('what the file says, or 7, when absent'),
    idempotency_key: idempotencyKey,
  }),
  output: skill.extend({ outcome: z.enum(['created', 'unchanged']), warnings: z.array(z.string()) }),
  hints: additiveHints,
  scope: 'write:skills',
  http: [
    {
      method: 'POST',
      path: '/api/v1/skills/import',
      created: (output) => (output as { outcome: string }).outcome === 'created',
    },
  ],
  examples: [{ skill_md_content: '---\nname: log-reader\ndescription: Read logs\n---\n\n# Steps\n\n1. Tail them.\n' }],
});

export const importSkills = defineContract({
  name: 'import_skills',
  title: 'Import many skills',
  description:
    'Store the skills of a folder: each SKILL.md with its path. All of them or none; with skip_invalid the good ones, and every skipped file is named with its line and problem.',
  category: 'skill',
  input: z.strictObject({
    skills: z
      .array(
        z.strictObject({
          path: requiredText(1_000).describe('shown in messages; no file is read'),
          skill_md: bounded(maxSkillFileBytes, '148 KB'),
        }),
      )
      .min(1)
      .max(500),
    project_id: id.nullable().optional(),
    importance: importance.optional(),
    skip_invalid: z.boolean().default(false),
    idempotency_key: idempotencyKey,
  }),
  output: z.object({
    created: z.array(z.object({ path: z.string(), id, name: z.string() })),
    unchanged: z.array(z.object({ path: z.string(), id, name: z.string() })),
    skipped: z.array(z.object({ path: z.string(), line: z.int().nullable(), problem: z.string() })),
    warnings: z.array(z.object({ path: z.string(), warning: z.string() })),
  }),
  hints: additiveHints,
  scope: 'write:skills',
  http: [{ method: 'POST', path: '/api/v1/skills/import-many' }],
  bodyLimitBytes: 64 * 1024 * 1024,
  examples: [{ skills: [{ path: 'a/SKILL.md', skill_md: '---\nname: a\ndescription: A\n---\n\nDo it.\n' }] }],
});

export const exportSkill = defineContract({
  name: 'export_skill',
  title: 'Export as SKILL.md',
  description: 'Write a skill as the text of a SKILL.md. What that format has no field for stands below metadata.',
  category: 'skill',
  input: z.strictObject({ skill_id: skillId, id: id.optional() }),
  output: z.object({ id, skill_id: id, name: z.string(), skill_md: z.string() }),
  examples: [{ skill_id: 1 }],
  hints: readOnlyHints,
  scope: 'read:skills',
  http: [{ method: 'GET', path: '/api/v1/skills/:id/export' }],
  cli: { command: 'skill export', positional: ['id'] },
});

export const skillContracts = [
  createSkill,
  getSkill,
  listSkills,
  searchSkills,
  updateSkill,
  deleteSkill,
  importSkill,
  importSkills,
  exportSkill,
] as const;

function fits(value: string, maxBytes: number): boolean {
  // three bytes a UTF-16 unit at most: short texts need no counting
  return value.length * 3 <= maxBytes || new TextEncoder().encode(value).length <= maxBytes;
}
