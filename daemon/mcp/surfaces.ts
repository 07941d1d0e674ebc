// Which tools a client sees is ONE list, not a flag on each operation: every tool costs tokens in every session, so a client is
// shown a few and reaches the rest through the three meta-tools, which can be called in every profile, listed or not.
import { LociError } from '#shared/errors.ts';
import { type MetaToolName, metaToolNames } from './meta-tool-contracts.ts';

export const profileNames = ['default', 'facts', 'lifecycle', 'knowledge', 'all'] as const;
export type ProfileName = (typeof profileNames)[number];

export type Profile = {
  readonly name: ProfileName;
  /** Operations in the order in which they are listed; null is all, in the order of the registry. */
  readonly operations: readonly string[] | null;
  readonly metaTools: readonly MetaToolName[];
  /** Fields that alone are listed of an operation; every other field is accepted all the same and shown by `how_to_use_tool`. */
  readonly listedFields: Readonly<Record<string, readonly string[]>>;
};

const profiles: Record<ProfileName, Profile> = {
  default: {
    name: 'default',
    operations: ['memory', 'memory_search', 'memory_save', 'memory_checkpoint', 'memory_sync'],
    metaTools: metaToolNames,
    listedFields: {
      // what an agent knows that Loci cannot find out by itself
      memory_save: [
        'content',
        'title',
        'context',
        'importance',
        'type',
        'project',
        'problem',
        'solution',
        'concepts',
        'files',
        'tags',
        'confidence',
        'expires_days',
        'supersedes',
        'occurred_at',
        'on_duplicate',
      ],
    },
  },
  facts: { name: 'facts', operations: ['memory'], metaTools: [], listedFields: {} },
  lifecycle: {
    name: 'lifecycle',
    operations: [
      'memory_sync',
      'memory_save',
      'memory_search',
      'memory_get',
      'memory_update',
      'memory_archive',
      'memory_consolidate',
      'memory_clean',
      'memory_stats',
      'memory_health',
      'memory_start',
      'memory_checkpoint',
      'memory_compress',
    ],
    metaTools: [],
    listedFields: {},
  },
  knowledge: { name: 'knowledge', operations: [], metaTools: metaToolNames, listedFields: {} },
  all: { name: 'all', operations: null, metaTools: metaToolNames, listedFields: {} },
};

/** The profile of that name. Throws `invalid_input` that names the five. */
export function profileOf(name: string): Profile {
  const known = profileNames.find((profile) => profile === name);
  if (known !== undefined) return profiles[known];
  throw new LociError('invalid_input', `There is no tool profile '${name}': use one of ${profileNames.join(', ')}.`, {
    tools: `must be one of ${profileNames.join(', ')}`,
  });
}
