// `loci fact …`: four verbs over the one operation `memory`, because nobody types `loci fact --action save --category …`.
import { memoryTool } from '#shared/contract/facts.ts';
import { type CommandDeps, deriveCommand } from '../derive-command.ts';
import type { Mount } from '../program.ts';
import type { Verb } from '../verb.ts';

const verbs: readonly Verb[] = [
  {
    contract: memoryTool,
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
    command: 'fact forget',
    summary: 'erase a fact for good',
    description: 'Erase a fact with its history. Without --category the key is erased in every category.',
    positional: ['key'],
    requires: ['key'],
    flags: {},
    fixed: { action: 'forget' },
    only: ['category', 'key', 'idempotency_key'],
    confirm: 'Erase for good',
  },
  {
    contract: memoryTool,
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
