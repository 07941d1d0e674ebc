// The one-tool fact memory: facts keyed by category and key.
import { z } from 'zod';
import { isBlank, text, utc } from './common.ts';
import { pluginWarnings } from './knowledge/plugin-warnings.ts';
import { additiveHints, defineContract } from './operation.ts';

export const factCategories = ['profile', 'preferences', 'technical', 'projects', 'other'] as const;
export const factSources = ['conversation', 'tool_call', 'auto_discovery', 'user_explicit'] as const;
export const factActions = ['save', 'search', 'forget', 'list'] as const;

const fact = z.object({
  category: z.enum(factCategories),
  key: z.string(),
  value: z.string(),
  src: z.string(),
  conf: z.int(),
  ctx: z.string().nullable(),
  updated_at: utc,
  expires_at: utc.nullable(),
});

export const memoryTool = defineContract({
  name: 'memory',
  title: 'Fact memory',
  description:
    'Long-term facts by category and key. Search before you save. Save one fact per key, as a statement that stands alone; saving a key again replaces its value. Set expires_days 7 for system facts. Confidence by how you learned it: 95 tool output, 80-95 told by the user, 70 conversation, 50 web, 30 guess. Never save passwords or tokens: save where they are kept.',
  category: 'fact',
  input: z.strictObject({
    action: z.enum(factActions).describe('save, search, forget or list'),
    category: z.enum(factCategories).optional().describe('save: required; forget: optional'),
    key: z.string().optional().describe('snake_case name of the fact; save and forget'),
    value: text(2_000).optional().describe('save: the fact as plain text'),
    source: z
      .string()
      .optional()
      .describe('how it was learned: conversation, tool_call, auto_discovery or user_explicit'),
    confidence: z.number().optional().describe('save: 0-100, default 70'),
    expires_days: z.number().gt(0).max(36_500).optional().describe('save: days until it expires; absent: never'),
    source_context: text(500).optional().describe('save: where it was said'),
    query: text(2_000).optional().describe('search: what to look for'),
    idempotency_key: text(200).optional().describe('repeat a save safely'),
  }),
  output: z.union([
    z.object({
      action: z.literal('save'),
      category: z.enum(factCategories),
      key: z.string(),
      created: z.boolean(),
      id: z.int(),
      expires_at: utc.nullable(),
      ...pluginWarnings,
    }),
    z.object({ facts: z.array(fact), degraded: z.array(z.string()).optional() }),
    z.object({ deleted: z.int() }),
    z.object({
      categories: z.array(z.object({ category: z.enum(factCategories), facts: z.int(), updated_at: utc })),
    }),
  ]),
  examples: [
    { action: 'save', category: 'technical', key: 'package_manager', value: 'We install with pnpm, never with npm.' },
    { action: 'search', query: 'how do we install packages' },
  ],
  hints: { ...additiveHints, destructive: true },
  scope: 'write:memories',
  http: [{ method: 'POST', path: '/memory', created: (output) => (output as { created?: boolean }).created === true }],
  cli: {
    command: 'fact',
    positional: ['action'],
  },
});

const snakeCase = /^[a-z0-9]+(_[a-z0-9]+)*$/;

/** True for a key such as `ci_host`, at most 100 characters. */
export function isFactKey(key: string): boolean {
  return key.length <= 100 && snakeCase.test(key);
}

/** The nearest valid key, to show in the message that refuses one; empty when nothing of it can be kept. */
export function correctedFactKey(key: string): string {
  if (isBlank(key)) return '';
  return key
    .normalize('NFKD')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, 100)
    .replace(/^_+|_+$/g, '');
}
