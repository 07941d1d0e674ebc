// Another embedding model for everything that is stored, without downtime: the old vectors serve until the new ones are complete.
import { z } from 'zod';
import { text, utc } from './common.ts';
import { defineContract, readOnlyHints, updateHints } from './operation.ts';

const status = z.object({
  /** `waiting`: the new model cannot be used just now, and is tried again; `failed`: what it gave was not used. */
  state: z.enum(['done', 'running', 'waiting', 'failed']),
  /** The model that searches use, and the one that everything is being embedded with; null where there is none. */
  model: z.string(),
  next_model: z.string().nullable(),
  things: z.int(),
  done: z.int(),
  why: z.string().nullable(),
  started_at: utc.nullable(),
});

export const reEmbed = defineContract({
  name: 're_embed',
  title: 'Embed everything anew',
  description:
    'Embed everything that is stored with another model, in the background. Searches use the old vectors until the new ones are complete and checked, then all switch at once. Without a provider or model: the one of the settings, or a mending of what lacks a vector. dry_run says how long it takes. Only when the user asks.',
  category: 'admin',
  input: z.strictObject({
    provider: z.enum(['bundled', 'huggingface', 'ollama', 'openai']).optional().describe('who turns text into vectors'),
    model: text(500).optional().describe("model of the provider; default: the provider's own"),
    base_url: text(2_000).optional().describe('address of the provider'),
    batch_size: z.int().min(1).max(256).default(20).describe('texts of one request to the model'),
    dry_run: z.boolean().default(false).describe('say how long and how much disk it takes, and change nothing'),
    idempotency_key: text(200).optional(),
  }),
  output: status.extend({
    /** Of a dry run. */
    plan: z
      .object({
        passages: z.int(),
        dimensions: z.int(),
        /** Measured on a few of the stored texts. */
        seconds: z.int(),
        bytes: z.int(),
        free_bytes: z.int(),
      })
      .nullable(),
  }),
  hints: updateHints,
  scope: 'admin',
  http: [{ method: 'POST', path: '/api/v1/re-embed' }],
});

export const getReEmbedding = defineContract({
  name: 'get_re_embedding',
  title: 'Re-embedding progress',
  description: 'Say which model searches use, and how far everything is embedded with the next one.',
  category: 'admin',
  input: z.strictObject({}),
  output: status,
  hints: readOnlyHints,
  scope: 'admin',
  http: [{ method: 'GET', path: '/api/v1/re-embed' }],
});

export const reEmbeddingContracts = [reEmbed, getReEmbedding] as const;
