// What `--help` says beside what the contracts say: under which heading a command stands, in which order, and an example of it.
// An operation that is missing here still has a command, a place under `More:` and an example made from its input.
import { type FieldKind, inputFieldsOf } from './input-fields.ts';
import { positionalsOf, type Verb } from './verb.ts';

type Page = { readonly heading: string; readonly examples: readonly string[] };

const remember = 'Remember and find:';
const tidy = 'Keep in order:';
const look = 'See how it is:';
const daemon = 'The daemon:';
const machines = 'For agents and scripts:';

const pages: Readonly<Record<string, Page>> = {
  add: {
    heading: remember,
    examples: [
      'loci add "We deploy on Tuesdays because the billing run is on Monday" --type decision --tag deploy',
      'git log -1 --format=%B | loci add - --project storefront',
      'loci add --file src/pay.ts -- "-0 and 0 differ in the ledger"',
    ],
  },
  search: {
    heading: remember,
    examples: ['loci search "when do we deploy"', 'loci search "flaky test" -n 10 --project storefront --explain'],
  },
  get: { heading: remember, examples: ['loci get 42', 'loci get 42 43 --json'] },
  checkpoint: {
    heading: remember,
    examples: [
      'loci checkpoint "Moved the cart to PostgreSQL" --problem "locks under load" --solution "row versions" --file src/cart.ts',
    ],
  },
  fact: { heading: remember, examples: ['loci fact save technical ci_host "Runner is build-3, 4 cores"'] },
  'fact save': {
    heading: remember,
    examples: [
      'loci fact save technical ci_host "Runner is build-3, 4 cores" --confidence 95',
      'loci fact save technical disk_free "40 GB free on build-3" --expires-days 7',
    ],
  },
  'fact search': { heading: remember, examples: ['loci fact search "which machine builds"'] },
  'fact forget': { heading: remember, examples: ['loci fact forget technical ci_host --yes'] },
  'fact list': { heading: remember, examples: ['loci fact list'] },
  update: {
    heading: tidy,
    examples: [
      'loci update 42 --content "We deploy on Wednesdays" --tag deploy',
      'loci update 42 --status active',
      'loci update 42 --clear problem',
    ],
  },
  history: { heading: tidy, examples: ['loci history 42'] },
  revert: { heading: tidy, examples: ['loci revert 42 --to 1'] },
  archive: { heading: tidy, examples: ['loci archive 42 43 --reason "the service is gone"'] },
  purge: { heading: tidy, examples: ['loci purge 42 --yes'] },
  project: { heading: tidy, examples: ['loci project merge store-front storefront'] },
  'project list': { heading: tidy, examples: ['loci project list --name store'] },
  'project alias': { heading: tidy, examples: ['loci project alias storefront shop'] },
  'project merge': { heading: tidy, examples: ['loci project merge store-front storefront'] },
  sync: { heading: look, examples: ['loci sync', 'loci sync --project storefront --json'] },
  stats: { heading: look, examples: ['loci stats', 'loci stats --project storefront'] },
  health: { heading: look, examples: ['loci health'] },
  config: { heading: look, examples: ['loci config', 'loci config http.port', 'loci config --changed'] },
  jobs: { heading: look, examples: ['loci jobs list', 'loci jobs run reconcile'] },
  'jobs list': { heading: look, examples: ['loci jobs list'] },
  'jobs run': { heading: look, examples: ['loci jobs run reconcile'] },
  start: { heading: daemon, examples: ['loci start'] },
  stop: { heading: daemon, examples: ['loci stop'] },
  restart: { heading: daemon, examples: ['loci restart'] },
  status: { heading: daemon, examples: ['loci status', 'loci status --json'] },
  logs: { heading: daemon, examples: ['loci logs -n 50', 'loci logs -f'] },
  serve: { heading: daemon, examples: ['LOCI_HOME=/srv/loci loci serve'] },
  token: { heading: daemon, examples: ['loci token show'] },
  'token show': {
    heading: daemon,
    examples: ['curl -H "Authorization: Bearer $(loci token show)" http://127.0.0.1:3456/memories/stats'],
  },
  mcp: { heading: machines, examples: ['claude mcp add loci -- loci mcp', 'loci mcp --tools all'] },
  prompt: { heading: machines, examples: ['loci prompt >> AGENTS.md'] },
  tools: { heading: machines, examples: ['loci tools list', 'loci tools info memory_search'] },
  'tools list': { heading: machines, examples: ['loci tools list --category lifecycle'] },
  'tools info': { heading: machines, examples: ['loci tools info memory_search'] },
  call: {
    heading: machines,
    examples: [
      `loci call memory_search --args '{"query": "when do we deploy", "limit": 3}'`,
      'jq -n \'{content: "…"}\' | loci call memory_save --args -',
    ],
  },
};

/** The headings in the order of `loci --help`; those without a command are not shown. */
export const headings = [remember, tidy, look, daemon, machines, 'More:'] as const;

export function headingOf(command: string): string {
  return pages[command]?.heading ?? 'More:';
}

/** Where a command stands among its like: the order of the table, then that of the contracts. */
export function rankOf(command: string): number {
  const rank = Object.keys(pages).indexOf(command);
  return rank === -1 ? Number.MAX_SAFE_INTEGER : rank;
}

export function examplesOf(command: string, verb?: Verb): readonly string[] {
  return pages[command]?.examples ?? (verb === undefined ? [] : [madeExample(verb)]);
}

const samples: Readonly<Record<FieldKind, string>> = {
  text: '"some text"',
  choice: 'value',
  number: '42',
  switch: '',
  list: '"some text"',
  json: `'{}'`,
};

/** The shortest line that the command accepts. */
function madeExample(verb: Verb): string {
  const byPosition = positionalsOf(verb).map(({ field }) => field);
  const names = new Set(byPosition.map((field) => field.name));
  const flags = inputFieldsOf(verb.contract)
    .filter((field) => field.isRequired && !names.has(field.name) && !(field.name in (verb.fixed ?? {})))
    .map((field) => `--${field.name.replaceAll('_', '-')} ${samples[field.kind]}`);
  return ['loci', verb.command, ...byPosition.map((field) => samples[field.kind]), ...flags].join(' ');
}
