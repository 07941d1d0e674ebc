// One row for each command of `loci --help`: its heading, its place below it, an example.

export type Page = { readonly heading: string; readonly examples: readonly string[]; readonly summary?: string };

const remember = 'Remember and find:';
const tidy = 'Keep in order:';
const work = 'Work together:';
const look = 'See how it is:';
const daemon = 'The daemon:';
const machines = 'For agents and scripts:';

export const pages: Readonly<Record<string, Page>> = {
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
    summary: 'find memories by words and meaning',
    examples: ['loci search "when do we deploy"', 'loci search "flaky test" -n 10 --project storefront --explain'],
  },
  recall: {
    heading: remember,
    summary: 'what the prompt hook would put into the context',
    examples: ['loci recall "Add a test for the refund job"'],
  },
  recap: {
    heading: remember,
    summary: 'what a session in this project starts from',
    examples: ['loci recap', 'loci recap --project storefront'],
  },
  find: {
    heading: remember,
    summary: 'find anything: notes, people, documents, code, skills',
    examples: ['loci find "who owns the cache server"', 'loci find "kafka" --kind document -n 20'],
  },
  get: { heading: remember, summary: 'read a memory whole', examples: ['loci get 42', 'loci get 42 43 --json'] },
  checkpoint: {
    heading: remember,
    summary: 'save what a piece of work did and taught',
    examples: [
      'loci checkpoint "Moved the cart to PostgreSQL" --problem "locks under load" --solution "row versions" --file src/cart.ts',
    ],
  },
  fact: {
    heading: remember,
    summary: 'facts by category and key, one each',
    examples: ['loci fact save technical ci_host "Runner is build-3, 4 cores"'],
  },
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
  list: {
    heading: tidy,
    summary: 'what is stored, page by page, with counts',
    examples: ['loci list --project storefront --type decision', 'loci list --age week --facets --json'],
  },
  conflicts: {
    heading: tidy,
    summary: 'pairs that may contradict each other',
    examples: ['loci conflicts'],
  },
  merge: {
    heading: tidy,
    summary: 'unite two memories that say the same',
    examples: ['loci merge 42 57', 'loci update 57 --supersedes 42   # where they contradict each other'],
  },
  update: {
    heading: tidy,
    summary: 'correct a memory in place',
    examples: [
      'loci update 42 --content "We deploy on Wednesdays" --tag deploy',
      'loci update 42 --status active',
      'loci update 42 --clear problem',
    ],
  },
  history: { heading: tidy, summary: 'every version of a memory', examples: ['loci history 42'] },
  diff: {
    heading: tidy,
    summary: 'what changed between two versions',
    examples: ['loci diff 42', 'loci diff 42 --from 1'],
  },
  revert: { heading: tidy, summary: 'bring back an earlier version', examples: ['loci revert 42 --to 1'] },
  archive: {
    heading: tidy,
    summary: 'hide a memory; it can come back',
    examples: ['loci archive 42 43 --reason "the service is gone"'],
  },
  purge: { heading: tidy, summary: 'erase a memory for good', examples: ['loci purge 42 --yes'] },
  compact: {
    heading: tidy,
    examples: ['loci compact --dry-run', 'loci compact --project storefront', 'loci compact --undo 57'],
  },
  clean: {
    heading: tidy,
    summary: 'archive what expired, faded or repeats',
    examples: ['loci clean --dry-run', 'loci clean'],
  },
  compress: {
    heading: tidy,
    summary: 'replace stored memory files by stubs',
    examples: ['loci compress --dry-run', 'loci compress --root ~/.claude'],
  },
  'restore-md': {
    heading: tidy,
    summary: 'write memory files back',
    examples: ['loci restore-md --dry-run', 'loci restore-md'],
  },
  memory: {
    heading: tidy,
    summary: 'notes of the knowledge graph',
    examples: ['loci memory search "how do events reach the warehouse?"'],
  },
  'memory save': {
    heading: tidy,
    examples: ['loci memory save "Every service writes to Kafka" --title "Events" --tag events'],
  },
  'memory search': { heading: tidy, examples: ['loci memory search "kafka retention" -n 5 -p shop'] },
  'memory get': { heading: tidy, examples: ['loci memory get 42'] },
  'memory recent': { heading: tidy, examples: ['loci memory recent -n 20 -p shop'] },
  project: {
    heading: tidy,
    summary: 'list projects, mend split names',
    examples: ['loci project merge store-front storefront'],
  },
  'project list': { heading: tidy, examples: ['loci project list --name store'] },
  'project alias': {
    heading: tidy,
    summary: 'let another name stand for a project',
    examples: ['loci project alias storefront shop'],
  },
  'project merge': {
    heading: tidy,
    summary: 'move all of one project into another',
    examples: ['loci project merge store-front storefront'],
  },
  quarantine: {
    heading: tidy,
    summary: 'memories that wait for your judgement',
    examples: ['loci quarantine list', 'loci quarantine reject 42'],
  },
  'quarantine list': { heading: tidy, examples: ['loci quarantine list', 'loci quarantine list --verdict rejected'] },
  'quarantine release': { heading: tidy, examples: ['loci quarantine release 42'] },
  'quarantine reject': { heading: tidy, examples: ['loci quarantine reject 42'] },
  scrub: {
    heading: tidy,
    summary: 'look through all that is stored for secrets',
    examples: ['loci scrub --dry-run', 'loci scrub'],
  },
  injected: {
    heading: look,
    summary: 'which memories were put into which context',
    examples: ['loci injected', 'loci injected --memory 42', 'loci injected --session 4f1c'],
  },
  export: {
    heading: tidy,
    summary: 'write everything into a file',
    examples: [
      'loci export memories.jsonl --include-obsolete',
      'loci export --project storefront | gzip > storefront.jsonl.gz',
    ],
  },
  import: {
    heading: tidy,
    summary: 'move in from Loci or another program',
    examples: [
      'loci import memories.jsonl --dry-run',
      'loci import ~/.forgetful/forgetful.db',
      'loci import ~/notes --from obsidian --project notes --skip-invalid',
    ],
  },
  sweep: {
    heading: tidy,
    summary: "save what is worth it of an agent's transcript",
    examples: ['loci sweep ~/.claude/projects/-srv-shop/4f1c.jsonl --dry-run'],
  },
  skill: {
    heading: tidy,
    summary: 'procedures in SKILL.md files',
    examples: ['loci skill search "deploy to staging"', 'loci skill import ~/.claude/skills'],
  },
  'skill search': { heading: tidy, examples: ['loci skill search "deploy to staging" -n 3'] },
  'skill list': { heading: tidy, examples: ['loci skill list --tag deployment'] },
  'skill get': { heading: tidy, examples: ['loci skill get 5'] },
  'skill import': {
    heading: tidy,
    examples: ['loci skill import code-review/SKILL.md', 'loci skill import ~/.claude/skills --skip-invalid'],
  },
  'skill export': { heading: tidy, examples: ['loci skill export 5 > code-review/SKILL.md'] },
  plan: {
    heading: work,
    summary: 'plans: goals of many tasks',
    examples: ['loci plan create "Move the cart to PostgreSQL" --project-id 3 --status active', 'loci plan show 7'],
  },
  'plan create': {
    heading: work,
    examples: ['loci plan create "Move the cart to PostgreSQL" --project-id 3 --ref github:shop/cart#42'],
  },
  'plan show': { heading: work, summary: 'a board of its tasks by state', examples: ['loci plan show 7'] },
  'plan list': {
    heading: work,
    examples: ['loci plan list --status active', 'loci plan list --ref github:shop/cart#42'],
  },
  'plan update': { heading: work, examples: ['loci plan update 7 --status active'] },
  'plan delete': { heading: work, examples: ['loci plan delete 7 --yes'] },
  task: {
    heading: work,
    summary: 'tasks of a plan, claimed by one agent each',
    examples: ['loci task next 7 --agent builder-1 --lease 900', 'loci task move 31 done --at 4'],
  },
  'task create': {
    heading: work,
    examples: ['loci task create 7 "Write the migration" --priority P1 --criterion "it can be undone" --after 30'],
  },
  'task list': { heading: work, examples: ['loci task list 7 --state todo'] },
  'task get': { heading: work, examples: ['loci task get 31'] },
  'task next': {
    heading: work,
    summary: 'claim the most urgent ready task',
    examples: ['loci task next 7 --agent builder-1 --lease 900'],
  },
  'task claim': { heading: work, examples: ['loci task claim 31 --agent builder-1 --at 1'] },
  'task renew': { heading: work, examples: ['loci task renew 31 --agent builder-1 --lease 900'] },
  'task move': { heading: work, examples: ['loci task move 31 done --at 4'] },
  'task update': { heading: work, examples: ['loci task update 31 --priority P0'] },
  'task criterion': { heading: work, examples: ['loci task criterion 31 "the old table is gone"'] },
  'task verify': { heading: work, examples: ['loci task verify 12 true'] },
  'task depend': { heading: work, examples: ['loci task depend 31 30'] },
  'task undepend': { heading: work, examples: ['loci task undepend 31 30'] },
  'task delete': { heading: work, examples: ['loci task delete 31 --yes'] },
  sync: {
    heading: look,
    summary: 'does memory work, and what is in it',
    examples: ['loci sync', 'loci sync --project storefront --json'],
  },
  stats: {
    heading: look,
    summary: 'counts, decay, size on disk',
    examples: ['loci stats', 'loci stats --project storefront'],
  },
  health: { heading: look, summary: 'what works, what does not, and why', examples: ['loci health'] },
  ui: { heading: look, examples: ['loci ui', 'loci ui --print'] },
  agents: { heading: look, summary: 'who writes here, and when last', examples: ['loci agents'] },
  doctor: { heading: look, examples: ['loci doctor', 'loci doctor --fix', 'loci doctor --repair'] },
  config: { heading: look, examples: ['loci config', 'loci config http.port', 'loci config --changed'] },
  activity: {
    heading: look,
    summary: 'what was changed, by whom',
    examples: ['loci activity list -n 20', 'loci activity of task 31'],
  },
  'activity list': { heading: look, examples: ['loci activity list --type task --action deleted'] },
  'activity of': { heading: look, examples: ['loci activity of task 31'] },
  backup: {
    heading: daemon,
    summary: 'backups of everything: make, check, bring back',
    examples: ['loci backup create', 'loci backup restore latest'],
  },
  'backup create': { heading: daemon, examples: ['loci backup create'] },
  'backup list': { heading: daemon, examples: ['loci backup list', 'loci backup list --json'] },
  'backup verify': { heading: daemon, examples: ['loci backup verify', 'loci backup verify latest'] },
  'backup repair': {
    heading: daemon,
    summary: 'make a damaged database whole again',
    examples: ['loci backup repair'],
  },
  'backup restore': {
    heading: daemon,
    summary: 'put a backup in the place of everything stored',
    examples: ['loci backup restore latest', 'loci backup restore loci-20261130T023000000Z.tar.gz --yes'],
  },
  're-embed': {
    heading: daemon,
    examples: ['loci re-embed --dry-run --provider ollama', 'loci re-embed --provider ollama --model nomic-embed-text'],
  },
  jobs: { heading: look, summary: 'the background jobs', examples: ['loci jobs list', 'loci jobs run reconcile'] },
  'jobs list': { heading: look, examples: ['loci jobs list'] },
  'jobs run': { heading: look, examples: ['loci jobs run reconcile'] },
  start: { heading: daemon, examples: ['loci start', 'LOCI_HOME=/srv/loci loci start'] },
  stop: { heading: daemon, examples: ['loci stop'] },
  restart: { heading: daemon, examples: ['loci restart'] },
  status: { heading: daemon, examples: ['loci status', 'loci status --json'] },
  logs: { heading: daemon, examples: ['loci logs -n 50', 'loci logs -f'] },
  serve: { heading: daemon, examples: ['LOCI_HOME=/srv/loci loci serve'] },
  'migrate-storage': { heading: daemon, examples: ['loci migrate-storage --dry-run', 'loci migrate-storage --back'] },
  token: {
    heading: daemon,
    summary: 'who may call over TCP, and what',
    examples: ['loci token show', 'loci token create ci --scope read --expires-days 90'],
  },
  service: {
    heading: daemon,
    summary: 'run it under systemd or launchd',
    examples: ['loci service install', 'loci service status'],
  },
  'service install': { heading: daemon, examples: ['loci service install --dry-run', 'loci service install'] },
  'service uninstall': { heading: daemon, examples: ['loci service uninstall'] },
  'service status': { heading: daemon, examples: ['loci service status'] },
  'token show': {
    heading: daemon,
    examples: ['curl -H "Authorization: Bearer $(loci token show)" http://127.0.0.1:3456/memories/stats'],
  },
  'token create': {
    heading: daemon,
    examples: [
      'loci token create ci --scope read --expires-days 90',
      'loci token create desk --user reviewer --scope read --scope write:memories',
    ],
  },
  'token list': { heading: daemon, examples: ['loci token list --all'] },
  'token revoke': { heading: daemon, examples: ['loci token revoke ci'] },
  auth: {
    heading: daemon,
    summary: 'log in to a daemon elsewhere',
    examples: ['loci auth login --server https://memory.example.org'],
  },
  'auth login': {
    heading: daemon,
    examples: [
      'loci auth login --server https://memory.example.org',
      'pass show loci | loci auth login --server https://memory.example.org --with-token',
    ],
  },
  'auth status': { heading: daemon, examples: ['loci auth status --server https://memory.example.org'] },
  'auth logout': { heading: daemon, examples: ['loci auth logout --server https://memory.example.org'] },
  'auth approve': { heading: daemon, examples: ['loci auth approve BCDF-GHJK --user reviewer --scope read'] },
  user: { heading: daemon, summary: 'users, who see nothing of each other', examples: ['loci user add reviewer'] },
  'user add': { heading: daemon, examples: ['loci user add reviewer --email reviewer@example.org'] },
  'user list': { heading: daemon, examples: ['loci user list'] },
  setup: {
    heading: machines,
    examples: ['loci setup', 'loci setup --all --dry-run', 'loci setup --agent codex --yes', 'loci setup --undo'],
  },
  mcp: { heading: machines, examples: ['claude mcp add loci -- loci mcp', 'loci mcp --tools all'] },
  hook: {
    heading: machines,
    examples: [`echo '{"prompt": "when do we deploy"}' | loci hook user-prompt`, 'loci hook --print claude-code'],
  },
  completion: {
    heading: machines,
    examples: [
      'source <(loci completion bash)',
      'loci completion zsh > ~/.zfunc/_loci',
      'loci completion fish > ~/.config/fish/completions/loci.fish',
    ],
  },
  prompt: { heading: machines, examples: ['loci prompt >> AGENTS.md'] },
  tools: {
    heading: machines,
    summary: 'list and explain the operations',
    examples: ['loci tools list', 'loci tools info memory_search'],
  },
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
export const headings = [remember, tidy, work, look, daemon, machines, 'More:'] as const;
