// How each agent is told of Loci and of its model, and run once without a person. What is here is what a user types or has in a file;
// and what keeps them quiet: no telemetry, no updates, no plugins from elsewhere.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type AgentName = 'Claude Code' | 'Codex' | 'Gemini CLI' | 'OpenCode' | 'Copilot CLI';

export type AgentSetting = {
  /** The agent's own HOME. */
  readonly home: string;
  readonly lociHome: string;
  readonly modelPort: number;
  /** Loci is added by the agent's own means, and not by `loci setup`. */
  readonly isByHand: boolean;
};

export type Agent = {
  readonly name: AgentName;
  /** On the npm registry, with the version that is installed. */
  readonly package: string;
  readonly version: string;
  readonly program: string;
  /** What `loci setup --agent` calls it. */
  readonly setupName: string;
  /** Writes the settings that name the model. */
  readonly configure: (setting: AgentSetting) => void;
  /** The command that adds Loci; null where `configure` has done it. */
  readonly addLoci: (setting: AgentSetting) => readonly string[] | null;
  readonly run: (prompt: string) => readonly string[];
  readonly env: (setting: AgentSetting) => NodeJS.ProcessEnv;
};

const key = 'no-key-is-needed';

const claudeCode: Agent = {
  name: 'Claude Code',
  package: '@anthropic-ai/claude-code',
  version: '2.1.197',
  program: 'claude',
  setupName: 'claude-code',
  configure: () => undefined,
  addLoci: ({ lociHome }) => [
    ...['mcp', 'add', '--scope', 'user', 'loci', '-e', `LOCI_HOME=${lociHome}`],
    ...['--', 'loci', 'mcp'],
  ],
  run: (prompt) => ['-p', prompt, '--allowedTools', 'mcp__loci'],
  env: ({ modelPort }) => ({
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${modelPort}`,
    ANTHROPIC_API_KEY: key,
    ENABLE_TOOL_SEARCH: 'false', // offers the tools themselves and not a search for them
    MCP_CONNECTION_NONBLOCKING: '0', // else a server that takes seconds, on a busy machine, misses the first request
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }),
};

const codex: Agent = {
  name: 'Codex',
  package: '@openai/codex',
  version: '0.171.0',
  program: 'codex',
  setupName: 'codex',
  configure: ({ home, modelPort }) =>
    writeOwn(
      join(home, '.codex', 'config.toml'),
      `model = "scripted"
model_provider = "scripted"
approval_policy = "never"
check_for_update_on_startup = false

[analytics]
enabled = false

[features]
apps = false
plugins = false

[model_providers.scripted]
name = "scripted"
base_url = "http://127.0.0.1:${modelPort}/v1"
wire_api = "responses"
env_key = "SCRIPTED_MODEL_KEY"
`,
    ),
  addLoci: ({ lociHome }) => ['mcp', 'add', 'loci', '--env', `LOCI_HOME=${lociHome}`, '--', 'loci', 'mcp'],
  run: (prompt) => ['exec', '--skip-git-repo-check', '--dangerously-bypass-hook-trust', prompt],
  env: ({ home }) => ({ CODEX_HOME: join(home, '.codex'), SCRIPTED_MODEL_KEY: key }),
};

const geminiCli: Agent = {
  name: 'Gemini CLI',
  package: '@google/gemini-cli',
  version: '0.61.0',
  program: 'gemini',
  setupName: 'gemini',
  configure: ({ home }) =>
    writeJson(join(home, '.gemini', 'settings.json'), {
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
    }),
  addLoci: ({ lociHome }) => ['mcp', 'add', '-s', 'user', '-e', `LOCI_HOME=${lociHome}`, 'loci', 'loci', 'mcp'],
  run: (prompt) => ['-p', prompt, '-m', 'gemini-2.5-flash', '--yolo'],
  env: ({ modelPort }) => ({
    GEMINI_API_KEY: key,
    GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${modelPort}`,
    GEMINI_TELEMETRY_ENABLED: 'false',
  }),
};

const openCode: Agent = {
  name: 'OpenCode',
  package: 'opencode-ai',
  version: '1.18.33',
  program: 'opencode',
  setupName: 'opencode',
  configure: ({ home, lociHome, modelPort, isByHand }) =>
    writeJson(join(home, '.config', 'opencode', 'opencode.json'), {
      model: 'scripted/scripted',
      small_model: 'scripted/scripted',
      autoupdate: false,
      share: 'disabled',
      provider: {
        scripted: {
          npm: '@ai-sdk/openai-compatible',
          name: 'Scripted',
          options: { baseURL: `http://127.0.0.1:${modelPort}/v1`, apiKey: key },
          models: { scripted: { name: 'Scripted', tool_call: true } },
        },
      },
      ...(isByHand ? { mcp: { loci: openCodeEntry(lociHome) } } : {}),
    }),
  addLoci: () => null,
  run: (prompt) => ['run', prompt],
  env: ({ modelPort }) => ({
    npm_config_registry: `http://127.0.0.1:${modelPort}/`, // it installs a package for plugins at every first start, and does without
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
  }),
};

const openCodeEntry = (lociHome: string): object => ({
  type: 'local',
  command: ['loci', 'mcp'],
  environment: { LOCI_HOME: lociHome },
  enabled: true,
});

const copilotCli: Agent = {
  name: 'Copilot CLI',
  package: '@github/copilot',
  version: '1.0.102',
  program: 'copilot',
  setupName: 'copilot-cli',
  configure: () => undefined,
  addLoci: ({ lociHome }) => ['mcp', 'add', 'loci', '--env', `LOCI_HOME=${lociHome}`, '--', 'loci', 'mcp'],
  run: (prompt) => ['-p', prompt, '--allow-all-tools', '--no-auto-update'],
  env: ({ modelPort }) => ({
    COPILOT_PROVIDER_BASE_URL: `http://127.0.0.1:${modelPort}/v1`,
    COPILOT_PROVIDER_API_KEY: key,
    COPILOT_MODEL: 'scripted',
  }),
};

export const agents: Readonly<Record<AgentName, Agent>> = {
  'Claude Code': claudeCode,
  Codex: codex,
  'Gemini CLI': geminiCli,
  OpenCode: openCode,
  'Copilot CLI': copilotCli,
};

/** Those that run in CI; the fifth weighs as much as the rest and is installed for the long tests. */
export const usualAgents: readonly AgentName[] = ['Claude Code', 'Codex', 'Gemini CLI', 'OpenCode'];

function writeOwn(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, text, { mode: 0o600 });
}

function writeJson(file: string, value: unknown): void {
  writeOwn(file, `${JSON.stringify(value, null, 2)}\n`);
}
