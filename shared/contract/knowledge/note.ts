// A note as every operation of the knowledge catalogue answers it.
import { z } from 'zod';
import { id, utc } from '../common.ts';
import { provenanceOutput } from './provenance.ts';

export const note = z.object({
  id,
  memory_id: id,
  title: z.string(),
  content: z.string(),
  context: z.string(),
  keywords: z.array(z.string()),
  tags: z.array(z.string()),
  importance: z.int(),
  project_ids: z.array(id),
  linked_memory_ids: z.array(id),
  code_artifact_ids: z.array(id),
  document_ids: z.array(id),
  file_ids: z.array(id),
  skill_ids: z.array(id),
  ...provenanceOutput,
  created_at: utc,
  updated_at: utc,
  is_obsolete: z.boolean(),
  obsolete_reason: z.string().nullable(),
  superseded_by: id.nullable(),
  obsoleted_at: utc.nullable(),
  access_count: z.int(),
  last_accessed_at: utc.nullable(),
});

export type Note = z.output<typeof note>;
