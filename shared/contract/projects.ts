// Projects: what knowledge is about. `repo_name` and `repository_url` are one field under two names.
import { z } from 'zod';
import { id, metadata, requiredText, text, utc } from './common.ts';
import { deleted, idempotencyKey, page, pageOutput } from './knowledge/listing.ts';
import { provenanceInput, provenanceOutput } from './knowledge/provenance.ts';
import { additiveHints, defineContract, eraseHints, readOnlyHints, updateHints } from './operation.ts';

const name = requiredText(500);

const projectType = z.enum([
  'personal',
  'work',
  'learning',
  'development',
  'infrastructure',
  'template',
  'product',
  'marketing',
  'finance',
  'documentation',
  'development-environment',
  'third-party-library',
  'open-source',
]);
const status = z.enum(['active', 'archived', 'completed']);

const projectId = id.optional().describe('the project; `id` is the same');

const summary = {
  id,
  project_id: id,
  name: z.string(),
  project_type: z.string(),
  status: z.string(),
  repo_name: z.string().nullable(),
  repository_url: z.string().nullable(),
  last_encoding_point: z.string().nullable(),
  memory_count: z.int(),
  created_at: utc,
  updated_at: utc,
};

export const projectSummary = z.object(summary);
export const project = z.object({
  ...summary,
  description: z.string(),
  notes: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()),
  ...provenanceOutput,
});

const repository = text(255).nullable().optional();

const fields = {
  repo_name: repository.describe('git remote or owner/name; `repository_url` is the same'),
  repository_url: repository,
  last_encoding_point: text(255)
    .nullable()
    .optional()
    .describe('your own mark of how far you have read, such as a commit; never moved by Loci'),
  notes: text(4_000).nullable().optional(),
  metadata: metadata.nullable().optional(),
  ...provenanceInput,
  idempotency_key: idempotencyKey,
};

export const createProject = defineContract({
  name: 'create_project',
  title: 'Create a project',
  description:
    'Create a project to hold notes, documents and code of one undertaking. Look for it by list_projects first: names may repeat, and knowledge that is split over two of them is hard to find.',
  category: 'project',
  input: z.strictObject({
    name,
    description: text(5_000).nullable().optional(),
    project_type: projectType.default('development'),
    status: status.default('active'),
    ...fields,
  }),
  output: project,
  hints: additiveHints,
  scope: 'write:projects',
  http: [{ method: 'POST', path: '/api/v1/projects', created: () => true }],
  examples: [{ name: 'Storefront', project_type: 'work', repo_name: 'https://git.example/shop/storefront.git' }],
});

export const getProject = defineContract({
  name: 'get_project',
  title: 'Get a project',
  description: 'Read a project whole by its id: description, notes, metadata and how many notes it holds.',
  category: 'project',
  input: z.strictObject({ project_id: projectId, id: id.optional() }),
  output: project,
  examples: [{ project_id: 1 }],
  hints: readOnlyHints,
  scope: 'read:projects',
  http: [{ method: 'GET', path: '/api/v1/projects/:id' }],
});

export const listProjects = defineContract({
  name: 'list_projects',
  title: 'List projects',
  description:
    'List projects, newest first, with how many memories each holds. A repository is compared by what it is, not by how its address is written.',
  category: 'project',
  input: z.strictObject({
    name: text(500).optional().describe('only names that contain this text, in any case'),
    status: status.optional(),
    project_type: projectType.optional(),
    repo_name: requiredText(255).optional().describe('any spelling of the git remote; `repository_url` is the same'),
    repository_url: requiredText(255).optional(),
    ...page,
  }),
  output: z.object({
    projects: z.array(projectSummary),
    count: z.int(),
    name_filter: z.string().nullable(),
    ...pageOutput,
  }),
  examples: [{ name: 'store', status: 'active' }],
  hints: readOnlyHints,
  scope: 'read:projects',
  http: [{ method: 'GET', path: '/api/v1/projects' }],
  cli: { command: 'project list' },
});

export const updateProject = defineContract({
  name: 'update_project',
  title: 'Update a project',
  description:
    'Change fields of a project; only what you pass changes, null or an empty text clears. A new name keeps the old one as an alias.',
  category: 'project',
  input: z.strictObject({
    project_id: projectId,
    id: id.optional(),
    name: name.optional(),
    description: text(5_000).nullable().optional(),
    project_type: projectType.optional(),
    status: status.optional(),
    ...fields,
  }),
  output: project,
  examples: [{ project_id: 1, last_encoding_point: '4f2a91c' }],
  hints: updateHints,
  scope: 'write:projects',
  http: [
    { method: 'PATCH', path: '/api/v1/projects/:id' },
    { method: 'PUT', path: '/api/v1/projects/:id' },
  ],
});

export const deleteProject = defineContract({
  name: 'delete_project',
  title: 'Delete a project',
  description:
    'Erase a project for good. Its notes, documents, code and files stay, without it. Only when the user asks.',
  category: 'project',
  input: z.strictObject({
    project_id: projectId,
    id: id.optional(),
    cascade_plans: z.boolean().default(false).describe('erase its plans too, which cannot stay without it'),
    idempotency_key: idempotencyKey,
  }),
  output: deleted.extend({ project_id: id }),
  examples: [{ project_id: 2 }],
  hints: eraseHints,
  scope: 'write:projects',
  http: [{ method: 'DELETE', path: '/api/v1/projects/:id' }],
});

export const aliasProject = defineContract({
  name: 'alias_project',
  title: 'Alias a project',
  description: 'Make another name stand for a project, so that saves and searches under either meet in one place.',
  category: 'project',
  input: z.strictObject({ name, alias: name, idempotency_key: idempotencyKey }),
  output: z.object({ id, name: z.string(), aliases: z.array(z.string()) }),
  examples: [{ name: 'storefront', alias: 'shop' }],
  hints: additiveHints,
  scope: 'write:projects',
  http: [{ method: 'POST', path: '/api/v1/projects/alias' }],
  cli: { command: 'project alias', positional: ['name', 'alias'] },
});

export const mergeProjects = defineContract({
  name: 'merge_projects',
  title: 'Merge two projects',
  description: 'Move all memories of one project into another; the old name becomes an alias of the one that stays.',
  category: 'project',
  input: z.strictObject({ from: name, into: name, idempotency_key: idempotencyKey }),
  output: z.object({ id, name: z.string(), moved: z.int() }),
  examples: [{ from: 'storefront-old', into: 'storefront' }],
  hints: updateHints,
  scope: 'write:projects',
  http: [{ method: 'POST', path: '/api/v1/projects/merge' }],
  cli: { command: 'project merge', positional: ['from', 'into'] },
});

export const projectContracts = [
  createProject,
  getProject,
  listProjects,
  updateProject,
  deleteProject,
  aliasProject,
  mergeProjects,
] as const;
