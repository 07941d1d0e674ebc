// What the agents' hooks ask of the daemon: what fits a prompt, what a session starts from, what a session leaves behind.
import { z } from 'zod';
import { id, project, requiredText, text } from './common.ts';
import { memoryTypes } from './memory-record.ts';
import { additiveHints, defineContract, readOnlyHints } from './operation.ts';

const session = text(200).describe('the agent session; within it nothing is given twice unless it changed');

const shownMemory = z.object({
  id,
  title: z.string(),
  type: z.enum(memoryTypes),
  project: z.string().nullable(),
  cross_project: z.boolean(),
  similarity: z.number().nullable(),
  /** False where the text had to be cut to fit. */
  whole: z.boolean(),
});

/** Why a recall gave nothing; null where it gave something. */
export const silenceReasons = ['no_words', 'nothing_relevant', 'already_shown', 'turned_off', 'no_project'] as const;

const injection = z.object({
  /** What goes into the agent's context; empty when there is nothing to say. */
  text: z.string(),
  memories: z.array(shownMemory),
  tokens: z.int(),
  silent: z.enum(silenceReasons).nullable(),
  degraded: z.array(z.string()),
  took_ms: z.number(),
});

const maxTokens = z.int().min(50).max(20_000);

export const memoryRecall = defineContract({
  name: 'memory_recall',
  title: 'Recall for a prompt',
  description:
    'What the prompt hook puts into the context of an agent: the few memories that fit a prompt, framed as recorded data, or nothing when nothing is relevant. To look something up, call memory_search instead.',
  category: 'lifecycle',
  input: z.strictObject({
    prompt: text(1_000_000).describe('what the user wrote'),
    project: project.optional().describe('default: where you work'),
    session: session.optional(),
    limit: z.int().min(1).max(50).optional(),
    max_tokens: maxTokens.optional(),
    deadline_ms: z
      .int()
      .min(1)
      .max(60_000)
      .optional()
      .describe('by then the answer comes, by words alone if the model is not ready'),
  }),
  output: injection,
  examples: [{ prompt: 'Add a retry to the checkout, please', session: 'a1' }],
  hints: readOnlyHints,
  scope: 'read:memories',
  http: [{ method: 'POST', path: '/memories/recall' }],
  cli: { command: 'recall', positional: ['prompt'], flags: { n: 'limit' } },
});

export const memoryRecap = defineContract({
  name: 'memory_recap',
  title: 'Recap of a project',
  description:
    'What the session-start hook puts into the context of an agent: a few lines on what is remembered of the project, or nothing outside of a project.',
  category: 'lifecycle',
  input: z.strictObject({
    project: project.optional().describe('default: where you work'),
    session: session.optional(),
    forgotten: z.boolean().default(false).describe('the agent has lost what it was shown, as after a compaction'),
    max_tokens: maxTokens.optional(),
  }),
  output: injection.extend({ project: z.string().nullable() }),
  examples: [{ project: 'storefront', session: 'a1' }],
  hints: readOnlyHints,
  scope: 'read:memories',
  http: [{ method: 'POST', path: '/memories/recap' }],
  cli: { command: 'recap' },
});

export const transcriptFormats = ['claude-code', 'codex', 'gemini-cli', 'copilot-cli', 'opencode'] as const;

const sweptMemory = z.object({
  id,
  outcome: z.enum(['created', 'merged', 'unchanged']),
  type: z.enum(memoryTypes),
  title: z.string(),
  score: z.number(),
  line: z.int(),
});

export const memorySweep = defineContract({
  name: 'memory_sweep',
  title: 'Sweep a transcript',
  description:
    "Read an agent's transcript and save the best five decisions, preferences, fixes and facts that are not stored yet. Secrets are taken out, nothing is saved twice, and a transcript that has grown is read from where the last sweep ended.",
  category: 'admin',
  input: z.strictObject({
    transcript_path: requiredText(4_096).describe('absolute path of the transcript'),
    agent: text(100).optional(),
    session: text(200).optional(),
    project: project.optional().describe('default: where the session worked'),
    limit: z.int().min(1).max(50).default(5),
    dry_run: z.boolean().default(false),
    idempotency_key: text(200).optional(),
  }),
  output: z.object({
    format: z.enum(transcriptFormats),
    project: z.string().nullable(),
    saved: z.array(sweptMemory),
    /** With dry_run: what would be saved. */
    found: z.array(z.object({ type: z.enum(memoryTypes), text: z.string(), score: z.number(), line: z.int() })),
    messages: z.int(),
    known: z.int(),
    redactions: z.int(),
    skipped: z.int(),
    skipped_lines: z.array(z.object({ line: z.int(), why: z.string() })),
    dry_run: z.boolean(),
  }),
  examples: [{ transcript_path: '/srv/agent/projects/shop/session.jsonl', dry_run: true }],
  hints: additiveHints,
  scope: 'admin',
  http: [{ method: 'POST', path: '/memories/sweep' }],
  cli: { command: 'sweep', positional: ['transcript_path'], flags: { n: 'limit' } },
});

export const memoryTakeFile = defineContract({
  name: 'memory_take_file',
  title: 'Take in a file',
  description:
    "Save a Markdown file of an agent's own memory folder as a memory: name becomes title, description context, the body content. A file that is written again changes its memory.",
  category: 'admin',
  input: z.strictObject({
    path: requiredText(4_096).describe('absolute path of a .md file'),
    agent: text(100).optional(),
    session: text(200).optional(),
    project: project.optional().describe('default: where the session worked'),
    idempotency_key: text(200).optional(),
  }),
  output: z.object({
    id: id.nullable(),
    outcome: z.enum(['created', 'merged', 'unchanged', 'updated', 'skipped']),
    why: z.string().nullable(),
    project: z.string().nullable(),
  }),
  examples: [{ path: '/srv/agent/projects/shop/memory/deploys.md' }],
  hints: additiveHints,
  scope: 'admin',
  http: [{ method: 'POST', path: '/memories/take-file' }],
});

export const memoryTakeSpool = defineContract({
  name: 'memory_take_spool',
  title: 'Take in the spool',
  description:
    'Begin to take in the transcripts and files that hooks have left for the daemon. Hooks call it; the daemon does the same when it starts.',
  category: 'admin',
  input: z.strictObject({
    wait: z.boolean().default(false).describe('answer when all is taken in'),
    idempotency_key: text(200).optional(),
  }),
  output: z.object({ waiting: z.int(), taken: z.int(), failed: z.int() }),
  hints: additiveHints,
  scope: 'admin',
  http: [{ method: 'POST', path: '/memories/take-spool' }],
});

export const hookContracts = [memoryRecall, memoryRecap, memorySweep, memoryTakeFile, memoryTakeSpool] as const;
