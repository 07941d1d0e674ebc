// Where a thing comes from: optional on create and update of every kind of the knowledge catalogue.
import { z } from 'zod';
import { labels, share, text } from '../common.ts';

/** Fields of an input; absent leaves alone, null clears. */
export const provenanceInput = {
  source_repo: text(200).nullable().optional(),
  source_files: labels(200, 1_000).nullable().optional(),
  source_url: text(2_048).nullable().optional(),
  confidence: share.nullable().optional(),
  encoding_agent: text(100).nullable().optional(),
  encoding_version: text(50).nullable().optional(),
  agent_id: text(100).nullable().optional(),
  agent_version: text(50).nullable().optional(),
  agent_model: text(100).nullable().optional(),
};

/** The same fields as they come back. */
export const provenanceOutput = {
  source_repo: z.string().nullable(),
  source_files: z.array(z.string()),
  source_url: z.string().nullable(),
  confidence: z.number().nullable(),
  encoding_agent: z.string().nullable(),
  encoding_version: z.string().nullable(),
  agent_id: z.string().nullable(),
  agent_version: z.string().nullable(),
  agent_model: z.string().nullable(),
};
