// Projects: what a memory is about. Foundation needs only what repairs a split name; the rest comes with the knowledge catalogue.
import { z } from 'zod';
import { id, requiredText, text, utc } from './common.ts';
import { additiveHints, defineContract, readOnlyHints, updateHints } from './operation.ts';

const name = requiredText(500);

export const listProjects = defineContract({
  name: 'list_projects',
  title: 'List projects',
  description: 'List the projects that memories belong to, newest first, with how many memories each holds.',
  category: 'project',
  input: z.strictObject({
    name: text(500).optional().describe('only names that contain this text, in any case'),
    limit: z.int().min(1).max(100).default(100),
    offset: z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
  }),
  output: z.object({
    projects: z.array(
      z.object({
        id,
        name: z.string(),
        project_type: z.string(),
        status: z.string(),
        memory_count: z.int(),
        created_at: utc,
        updated_at: utc,
      }),
    ),
    total_count: z.int(),
    total: z.int(),
    has_more: z.boolean(),
  }),
  hints: readOnlyHints,
  scope: 'read:projects',
  http: [{ method: 'GET', path: '/api/v1/projects' }],
  cli: { command: 'project list' },
});

export const aliasProject = defineContract({
  name: 'alias_project',
  title: 'Alias a project',
  description: 'Make another name stand for a project, so that saves and searches under either meet in one place.',
  category: 'project',
  input: z.strictObject({ name, alias: name, idempotency_key: text(200).optional() }),
  output: z.object({ id, name: z.string(), aliases: z.array(z.string()) }),
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
  input: z.strictObject({ from: name, into: name, idempotency_key: text(200).optional() }),
  output: z.object({ id, name: z.string(), moved: z.int() }),
  hints: updateHints,
  scope: 'write:projects',
  http: [{ method: 'POST', path: '/api/v1/projects/merge' }],
  cli: { command: 'project merge', positional: ['from', 'into'] },
});

export const projectContracts = [listProjects, aliasProject, mergeProjects] as const;
