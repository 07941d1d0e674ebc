// Code artifacts: snippets worth using again. `code` and `content` are one field under two names.
import { z } from 'zod';
import { id, labels, requiredText, text, utc } from '../common.ts';
import { additiveHints, defineContract, eraseHints, readOnlyHints, updateHints } from '../operation.ts';
import { deleted, idempotencyKey, page, pageOutput } from './listing.ts';
import { provenanceInput, provenanceOutput } from './provenance.ts';

/** The artifact, under every name that clients use for it. */
const whichArtifact = {
  code_artifact_id: id.optional().describe('the artifact; `artifact_id` and `id` are the same'),
  artifact_id: id.optional(),
  id: id.optional(),
};

const summary = {
  id,
  code_artifact_id: id,
  artifact_id: id,
  title: z.string(),
  description: z.string(),
  language: z.string(),
  framework: z.string().nullable(),
  version: z.string().nullable(),
  tags: z.array(z.string()),
  project_id: id.nullable(),
  created_at: utc,
  updated_at: utc,
};

export const codeArtifactSummary = z.object(summary);
export const codeArtifact = z.object({ ...summary, code: z.string(), content: z.string(), ...provenanceOutput });

const fields = {
  description: text(5_000).nullable().optional().describe('what it does and when to use it'),
  framework: text(100).nullable().optional(),
  version: text(100).nullable().optional(),
  tags: labels(10).optional(),
  project_id: id.nullable().optional(),
  ...provenanceInput,
  idempotency_key: idempotencyKey,
};

export const createCodeArtifact = defineContract({
  name: 'create_code_artifact',
  title: 'Store a snippet',
  description:
    'Store a piece of code worth using again, with its language and what it is for. Link notes to it by create_memory with code_artifact_ids.',
  category: 'code_artifact',
  input: z.strictObject({
    title: requiredText(500),
    code: requiredText(50_000).optional().describe('the code; `content` is the same'),
    content: requiredText(50_000).optional(),
    language: requiredText(100),
    ...fields,
  }),
  output: codeArtifact,
  hints: additiveHints,
  scope: 'write:code_artifacts',
  http: [{ method: 'POST', path: '/api/v1/code-artifacts', created: () => true }],
  examples: [
    {
      title: 'Retry with growing pauses',
      language: 'python',
      code: 'def pause_before(attempt):\n    return min(60, 2 ** attempt)',
      tags: ['retry'],
    },
  ],
});

export const getCodeArtifact = defineContract({
  name: 'get_code_artifact',
  title: 'Get a snippet',
  description: 'Read a code artifact whole by its id, with its code.',
  category: 'code_artifact',
  input: z.strictObject(whichArtifact),
  output: codeArtifact,
  examples: [{ artifact_id: 1 }],
  hints: readOnlyHints,
  scope: 'read:code_artifacts',
  http: [{ method: 'GET', path: '/api/v1/code-artifacts/:id' }],
});

export const listCodeArtifacts = defineContract({
  name: 'list_code_artifacts',
  title: 'List snippets',
  description:
    'List code artifacts without their code, newest first, filtered by project, language, or any of some tags.',
  category: 'code_artifact',
  input: z.strictObject({
    project_id: id.optional(),
    language: requiredText(100).optional().describe('in any case'),
    tags: labels(20).optional().describe('any of these'),
    ...page,
  }),
  output: z.object({ code_artifacts: z.array(codeArtifactSummary), ...pageOutput }),
  examples: [{ language: 'python', tags: ['retry'] }],
  hints: readOnlyHints,
  scope: 'read:code_artifacts',
  http: [{ method: 'GET', path: '/api/v1/code-artifacts', csv: ['tags'] }],
});

export const updateCodeArtifact = defineContract({
  name: 'update_code_artifact',
  title: 'Update a snippet',
  description: 'Change fields of a code artifact; only what you pass changes, tags are replaced whole, null clears.',
  category: 'code_artifact',
  input: z.strictObject({
    ...whichArtifact,
    title: requiredText(500).optional(),
    code: requiredText(50_000).optional(),
    content: requiredText(50_000).optional(),
    language: requiredText(100).optional(),
    ...fields,
  }),
  output: codeArtifact,
  examples: [{ artifact_id: 1, tags: ['retry', 'network'] }],
  hints: updateHints,
  scope: 'write:code_artifacts',
  http: [
    { method: 'PATCH', path: '/api/v1/code-artifacts/:id' },
    { method: 'PUT', path: '/api/v1/code-artifacts/:id' },
  ],
});

export const deleteCodeArtifact = defineContract({
  name: 'delete_code_artifact',
  title: 'Delete a snippet',
  description: 'Erase a code artifact for good. Notes that were linked to it stay. Only when the user asks.',
  category: 'code_artifact',
  input: z.strictObject({ ...whichArtifact, idempotency_key: idempotencyKey }),
  output: deleted.extend({ code_artifact_id: id, artifact_id: id }),
  examples: [{ artifact_id: 1 }],
  hints: eraseHints,
  scope: 'write:code_artifacts',
  http: [{ method: 'DELETE', path: '/api/v1/code-artifacts/:id' }],
});

export const codeArtifactContracts = [
  createCodeArtifact,
  getCodeArtifact,
  listCodeArtifacts,
  updateCodeArtifact,
  deleteCodeArtifact,
] as const;
