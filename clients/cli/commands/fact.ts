// `loci fact …`: four verbs over the one operation `memory`, because nobody types `loci fact --action save --category …`.
import { factCategories, memoryTool } from '#shared/contract/facts.ts';
import { type CommandDeps, deriveCommand } from '../derive-command.ts';
import type { Mount } from '../mount.ts';
import type { Verb } from '../verb.ts';

const about = {
  category: `one of ${factCategories.join(', ')}`,
  key: 'its name in snake_case, such as ci_host',
  value: 'the fact as a statement that stands alone, at most 2,000 characters',
  confidence: '0 to 100, by how it was learned: 95 tool output, 50 web, 30 guess (default: 70)',
  source: 'conversation, tool_call, auto_discovery or user_explicit (default: conversation)',
  expires_days: 'days until it ends to be true; absent: never',
  source_context: 'where it was said, at most 500 characters',
  query: 'what to look for',
} as const;

const verbs: readonly Verb[] = [
  {
    contract: memoryTool,
    about,
    command: 'fact save',
    summary: 'save a fact, or replace the value of its key',
    description:
      'Save one fact under a category (profile, preferences, technical, projects, other) and a snake_case key. Saving a key again replaces its value; the old one stays in the history.',
    positional: ['category', 'key', 'value'],
    requires: ['category', 'key', 'value'],
    flags: {},
    fixed: { action: 'save' },
    only: ['category', 'key', 'value', 'source', 'confidence', 'expires_days', 'source_context', 'idempotency_key'],
  },
  {
    contract: memoryTool,
    about,
    command: 'fact search',
    summary: 'find facts by words and meaning',
    description: 'Find facts, best first, at most 15.',
    positional: ['query'],
    requires: ['query'],
    flags: {},
    fixed: { action: 'search' },
    only: ['query'],
  },
  {
    contract: memoryTool,
    about,
    command: 'fact forget',
    summary: 'erase a fact for good',
    description: 'Erase a fact with its history. Without a category the key is erased in every category.',
    usage: '[category] <key> [flags]',
    positional: ['key...'],
    arrange: categoryFirst,
    requires: ['key'],
    flags: {},
    fixed: { action: 'forget' },
    only: ['category', 'key', 'idempotency_key'],
    confirm: 'Erase for good',
  },
  {
    contract: memoryTool,
    about,
    command: 'fact list',
    summary: 'list the categories that hold facts',
    description: 'List the categories that hold facts, with how many and since when; never the facts.',
    positional: [],
    flags: {},
    fixed: { action: 'list' },
    only: [],
  },
];

export function addFactCommands(mount: Mount, deps: CommandDeps): void {
  for (const verb of verbs) mount(verb.command, deriveCommand(verb, deps), verb);
}

/** `forget technical ci_host` names a category and a key, in the order of `save`; `forget ci_host runner_os` names two keys. */
function categoryFirst(calls: readonly Record<string, unknown>[]): readonly Record<string, unknown>[] {
  const [first, second] = calls;
  if (calls.length !== 2 || first === undefined || second === undefined || first.category !== undefined) return calls;
  return factCategories.some((category) => category === first.key) ? [{ ...second, category: first.key }] : calls;
}
