// What a skill is linked to: the notes, files, code and documents that it draws on; and the way back.
import { z } from 'zod';
import { id } from '../common.ts';
import { defineContract, readOnlyHints, updateHints } from '../operation.ts';
import { idempotencyKey } from './listing.ts';

const linked = { skill_id: id, linked: z.literal(true) };
const unlinked = { skill_id: id, unlinked: z.boolean() };

/** The two operations of one kind. `noun` is what a person calls it. */
function linkContracts<const Kind extends 'memory' | 'file' | 'code_artifact' | 'document'>(
  kind: Kind,
  noun: string,
  path: string,
) {
  const field = `${kind}_id` as const;
  const other = { [field]: id } as Record<typeof field, typeof id>;
  const input = z.strictObject({ skill_id: id, ...other, idempotency_key: idempotencyKey });
  const link = defineContract({
    name: `link_skill_to_${kind}`,
    title: `Link to ${noun}`,
    description: `Say that a skill draws on a ${noun}. Linking twice changes nothing.`,
    category: 'skill',
    input,
    output: z.object({ ...linked, ...other }),
    hints: updateHints,
    scope: 'write:skills',
    http: [{ method: 'POST', path: `/api/v1/skills/:skill_id/${path}` }],
  });
  const unlink = defineContract({
    name: `unlink_skill_from_${kind}`,
    title: `Unlink from ${noun}`,
    description: `Remove the link between a skill and a ${noun}; unlinked is false when there was none.`,
    category: 'skill',
    input,
    output: z.object({ ...unlinked, ...other }),
    hints: updateHints,
    scope: 'write:skills',
    http: [{ method: 'DELETE', path: `/api/v1/skills/:skill_id/${path}/:${field}` }],
  });
  return { link, unlink };
}

export const skillMemoryLinks = linkContracts('memory', 'note', 'memories');
export const skillFileLinks = linkContracts('file', 'file', 'files');
export const skillArtifactLinks = linkContracts('code_artifact', 'code artifact', 'code-artifacts');
export const skillDocumentLinks = linkContracts('document', 'document', 'documents');

export const getSkillLinks = defineContract({
  name: 'get_skill_links',
  title: 'Links of skill',
  description: 'List the ids of all notes, files, code artifacts and documents that a skill is linked to.',
  category: 'skill',
  input: z.strictObject({ skill_id: id.optional().describe('the skill; `id` is the same'), id: id.optional() }),
  output: z.object({
    skill_id: id,
    memory_ids: z.array(id),
    file_ids: z.array(id),
    code_artifact_ids: z.array(id),
    document_ids: z.array(id),
    total_count: z.int(),
  }),
  examples: [{ skill_id: 1 }],
  hints: readOnlyHints,
  scope: 'read:skills',
  http: [{ method: 'GET', path: '/api/v1/skills/:skill_id/links' }],
});

export const getLinkedSkills = defineContract({
  name: 'get_linked_skills',
  title: 'Skills of thing',
  description:
    'List the skills that are linked to one note, file, code artifact or document: give one of the four ids.',
  category: 'skill',
  input: z.strictObject({
    memory_id: id.optional(),
    file_id: id.optional(),
    code_artifact_id: id.optional(),
    document_id: id.optional(),
  }),
  output: z.object({
    skill_ids: z.array(id),
    count: z.int(),
    skills: z.array(z.object({ id, name: z.string(), description: z.string() })),
  }),
  hints: readOnlyHints,
  scope: 'read:skills',
  http: [
    { method: 'GET', path: '/api/v1/memories/:memory_id/skills' },
    { method: 'GET', path: '/api/v1/files/:file_id/skills' },
    { method: 'GET', path: '/api/v1/code-artifacts/:code_artifact_id/skills' },
    { method: 'GET', path: '/api/v1/documents/:document_id/skills' },
  ],
  examples: [{ memory_id: 1 }],
});

export const skillLinkContracts = [
  skillMemoryLinks.link,
  skillMemoryLinks.unlink,
  skillFileLinks.link,
  skillFileLinks.unlink,
  skillArtifactLinks.link,
  skillArtifactLinks.unlink,
  skillDocumentLinks.link,
  skillDocumentLinks.unlink,
  getSkillLinks,
  getLinkedSkills,
] as const;
