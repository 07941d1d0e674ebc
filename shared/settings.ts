// Every setting of Loci, once: the daemon, `loci config`, the service units and the tests read this table.
// Settings of rooms that are still to come stand here too, so that a settings file never breaks on the way down.
import {
  bucketUrl,
  choice,
  cron,
  decimal,
  flag,
  hostNames,
  integer,
  postgresUrl,
  type Setting,
  text,
  unset,
  url,
} from './setting-kinds.ts';

/** The background jobs that `jobs.<name>.*` may name. */
export const jobNames = [
  'consolidate',
  'clean',
  'flush_accesses',
  'reconcile',
  'optimise',
  'reembed',
  'backup',
  'rehearse_restore',
  'prune',
] as const;
export type JobName = (typeof jobNames)[number];

type JobSettings = { readonly [K in `jobs.${JobName}.cron`]: Setting<string | null> } & {
  readonly [K in `jobs.${JobName}.enabled`]: Setting<boolean>;
} & { readonly [K in `jobs.${JobName}.timeout_s`]: Setting<number | null> };

const year = 366;
const share = (fallback: number, doc: string) => decimal(fallback, 0, 1, doc);

/** Key → default, range and meaning. The order is the order of `loci config`. */
export const settings = {
  'http.enabled': flag(true, 'Listen on TCP beside the Unix socket.'),
  'http.host': text('127.0.0.1', 'Address to listen on.', { shortEnv: 'LOCI_HOST' }),
  'http.port': integer(3456, 0, 65_535, 'TCP port; 0 picks a free one.', { shortEnv: 'LOCI_PORT' }),
  'http.allow_insecure_remote': flag(false, 'Allow an address other than loopback without TLS.'),
  'http.allowed_hosts': unset(
    hostNames(
      'Names under which a reverse proxy with TLS passes calls on, besides those of loopback and the certificate.',
    ),
  ),
  'http.tls_cert': unset(text('', 'File with the TLS certificate (PEM).')),
  'http.tls_key': unset(text('', 'File with the key of the TLS certificate (PEM).')),

  'embedding.provider': choice(
    'bundled',
    ['bundled', 'huggingface', 'ollama', 'openai', 'auto'],
    'Who turns text into vectors.',
  ),
  'embedding.model': unset(
    text(
      '',
      'Model of the provider; unset means its default. Of `huggingface` a folder, or an id that is fetched once.',
    ),
  ),
  'embedding.base_url': unset(url('', 'Address of the provider; of `huggingface`, a mirror of the hub.')),
  'embedding.ollama_host': text('http://127.0.0.1:11434', 'Where Ollama listens, when `embedding.base_url` is unset.', {
    shortEnv: 'OLLAMA_HOST',
  }),
  'embedding.openai_api_key': unset(
    text('', 'Key of the provider `openai`; by itself it turns nothing on.', {
      shortEnv: 'OPENAI_API_KEY',
      secret: true,
    }),
  ),

  'rerank.provider': choice('off', ['off', 'local', 'http'], 'Who orders the first hits again.'),
  'rerank.model': unset(text('', 'Model of the reranker.')),
  'rerank.url': unset(url('', 'Address of the reranker `http`.')),
  'rerank.api_key': unset(text('', 'Key of the reranker `http`, where it wants one.', { secret: true })),
  'rerank.candidates': integer(20, 1, 200, 'How many hits are ordered again.'),

  'vectors.exact_limit': integer(100_000, 0, 1_000_000, 'Up to so many vectors are searched exactly, in memory.'),
  'vectors.url': unset(
    bucketUrl('Bucket and folder of the vector table that the daemons of a team share; unset means none is shared.'),
  ),
  'search.default_limit': integer(5, 1, 1000, 'Hits of a `memory_search` that names no limit.'),
  'search.max_limit': integer(50, 1, 1000, 'Most hits of one `memory_search`.'),
  'ranking.decay_strength': share(0.15, 'How much age and use weigh in the order of hits; 1 multiplies them in whole.'),
  'query.token_budget': integer(8000, 100, 1_000_000, 'Tokens of one `query_memory` answer.'),
  'query.max_memories': integer(20, 1, 1000, 'Most memories of one `query_memory` answer.'),

  'links.automatic': integer(3, 0, 50, 'Links made for a new memory; 0 turns them off.'),
  'links.threshold': share(0.7, 'Least similarity of an automatic link.'),
  'obsolete_warning.enabled': flag(true, 'Warn when a new memory is like an obsolete one.'),
  'obsolete_warning.threshold': share(0.89, 'Least similarity of that warning.'),
  'merge.threshold': share(0.92, 'From this similarity a save is merged into the old memory.'),
  'clean.duplicate_threshold': share(0.95, 'From this similarity clean-up archives one of two memories.'),
  'consolidate.threshold': share(0.8, 'Least similarity inside a consolidated cluster.'),
  'consolidate.min_candidates': integer(10, 2, 10_000, 'Fewer candidates than this are left alone.'),
  'decay.half_life_days': decimal(30, 0.1, 36_500, 'After so many days without use the decay score has halved.'),
  'clean.archive_below': share(0.1, 'Clean-up archives memories whose decay score is below.'),
  'consolidate.below': share(0.3, 'Consolidation takes memories whose decay score is below.'),

  ...jobSettings(),

  'llm.enabled': flag(false, 'Let a language model write the summaries of consolidation.'),
  'llm.base_url': unset(url('', 'Address of an OpenAI-compatible endpoint.')),
  'llm.model': unset(text('', 'Model of that endpoint.')),
  'llm.api_key_env': text('OPENAI_API_KEY', 'Name of the environment variable that holds its key.'),
  'llm.daily_tokens': integer(100_000, 0, 1_000_000_000, 'Tokens that summaries may use in a day.'),

  'hooks.recall_limit': integer(5, 0, 50, 'Most memories that the prompt hook injects.'),
  'hooks.recall_tokens': integer(800, 0, 20_000, 'Most tokens that the prompt hook injects.'),
  'hooks.floor': unset(share(0, 'Least relevance of an injected memory; unset means calibrated to the model.')),
  'hooks.deadline_ms': integer(300, 50, 10_000, 'After so long the prompt hook injects nothing.'),

  'activity.retention_days': integer(90, 1, 100 * year, 'How long the activity log is kept.'),
  'activity.track_reads': flag(false, 'Log reads and queries too.'),
  'categories.skills': flag(true, 'Offer the tools and routes of skills.'),
  'categories.files': flag(true, 'Offer the tools and routes of files.'),
  'categories.plans': flag(true, 'Offer the tools and routes of plans.'),
  'categories.activity': flag(true, 'Offer the tools and routes of the activity log.'),

  'provenance.encoding_agent': unset(text('', 'Fills `encoding_agent` of a new memory.')),
  'provenance.encoding_version': unset(text('', 'Fills `encoding_version` of a new memory.')),
  'provenance.agent_id': unset(text('', 'Fills the id of the agent that wrote.')),
  'provenance.agent_version': unset(text('', 'Fills the version of the agent that wrote.')),
  'provenance.agent_model': unset(text('', 'Fills the model of the agent that wrote.')),
  'provenance.enforce': flag(false, 'Replace what the caller says instead of filling what is missing.'),
  'graph.max_nodes': integer(2000, 1, 100_000, 'Most nodes of one graph answer.'),

  'policies.memory': unset(text('', 'ES module that judges every new or changed memory.')),
  'policies.entity': unset(text('', 'ES module that judges every new or changed entity.')),
  'policies.plan': unset(text('', 'ES module that judges every new or changed plan.')),
  'policies.mode': choice('enforce', ['enforce', 'warn'], 'What a policy that fails or hangs does to the write.'),
  'policies.timeout_s': decimal(5, 0.1, 300, 'How long a policy may think.'),

  'auth.jwt.issuer': unset(url('', 'Issuer whose tokens are accepted, if `auth.jwt.audience` is set too.')),
  'auth.jwt.audience': unset(text('', 'Audience that those tokens must name.')),
  'auth.jwt.jwks_url': unset(url('', 'Where the keys of the issuer are; unset means `/.well-known/jwks.json` there.')),
  'auth.scopes': text('*', 'What no token grants more than, and what one that names no scopes grants.'),
  'secrets.mode': choice(
    'default',
    ['default', 'refuse', 'redact'],
    'Text that looks like a credential: `default` refuses an explicit save and redacts swept text.',
  ),

  'storage.url': unset(
    postgresUrl('Database that the daemons of a team share; unset means a file in the data folder.'),
  ),
  'storage.allow_network_fs': flag(false, 'Keep data on a network file system, whose locks may lie.'),
  'backup.daily': integer(7, 0, 1000, 'Nightly backups that are kept.'),
  'backup.weekly': integer(4, 0, 1000, 'Weekly backups that are kept.'),
  'backup.folder': unset(text('', 'Folder of the backups; unset means `backups` beside the database.')),
  'log.level': choice('info', ['debug', 'info', 'warn', 'error', 'silent'], 'Least weight of a logged line.', {
    shortEnv: 'LOCI_LOG_LEVEL',
  }),
  'log.max_mb': integer(50, 1, 100_000, 'Most megabytes of all log files together.'),
  'mcp.tools': choice(
    'default',
    ['default', 'facts', 'lifecycle', 'knowledge', 'all'],
    'Tools that an MCP client gets when it names no profile.',
    { shortEnv: 'LOCI_TOOLS' },
  ),
} as const;

export type SettingKey = keyof typeof settings;

/** The value of every setting, by key: `values['http.port']`. */
export type SettingValues = {
  readonly [K in SettingKey]: (typeof settings)[K] extends Setting<infer T> ? T : never;
};

export const settingKeys = Object.keys(settings) as SettingKey[];

/** The rule: `LOCI_` + the key in upper case with `_`. */
export function envNameOf(key: SettingKey): string {
  return `LOCI_${key.toUpperCase().replaceAll('.', '_')}`;
}

function jobSettings(): JobSettings {
  const rows = jobNames.flatMap((name): [string, Setting<unknown>][] => [
    [`jobs.${name}.cron`, unset(cron(`When the job \`${name}\` runs; unset means its own schedule.`))],
    [`jobs.${name}.enabled`, flag(true, `Whether the job \`${name}\` runs by itself.`)],
    [
      `jobs.${name}.timeout_s`,
      unset(integer(0, 1, 86_400, `When the job \`${name}\` is given up; unset: its own limit.`)),
    ],
  ]);
  return Object.fromEntries(rows) as unknown as JobSettings;
}
