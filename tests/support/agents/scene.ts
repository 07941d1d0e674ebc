// Where the story plays: a project folder, a `loci` on the PATH as an install puts it there, one Loci home for all, and a HOME of its
// own for each agent. Agents run in a process group, because some are a launcher around the real program.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { type LociPaths, resolvePaths } from '#shared/paths.ts';
import { endProcess, pidOf } from '../daemon-process.ts';
import { root } from '../source-tree.ts';
import { type Agent, type AgentName, type AgentSetting, agents } from './agents.ts';
import { installAgents } from './install-agents.ts';
import { type ModelServer, startModelServer, type Turn } from './model-server.ts';

export type AgentRun = {
  readonly agent: AgentName;
  /** The commands that a user would have typed; paths as on this machine. */
  readonly commands: readonly (readonly string[])[];
  readonly prompt: string;
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** What went between the agent and its model. */
  readonly turns: readonly Turn[];
};

export type Scene = {
  readonly folder: string;
  readonly paths: LociPaths;
  readonly model: ModelServer;
  /** Pid of the daemon that answers, or null. */
  daemonPid(): Promise<number | null>;
  /** Adds Loci to the agent, the first time, and lets it work on a prompt. Throws when a command does not end in time. */
  run(name: AgentName, prompt: string): Promise<AgentRun>;
  /** Runs another command of the agent, in its project; adds nothing. */
  command(name: AgentName, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ended>;
  /** Runs `loci` as the agent's user would: with the HOME and the PATH of the agent. */
  loci(name: AgentName, args: readonly string[]): Promise<Ended>;
  settingOf(name: AgentName): AgentSetting;
  end(): Promise<void>;
};

const runTimeoutMs = 90_000;

export type SceneOptions = {
  /** Who plays; `usualAgents` unless given. */
  readonly names?: readonly AgentName[];
  /** Loci is added by `loci setup`, and not by each agent's own command. */
  readonly isBySetup?: boolean;
};

export async function openScene({ names, isBySetup = false }: SceneOptions = {}): Promise<Scene> {
  const programs = await installAgents(names);
  const folder = mkdtempSync(join(tmpdir(), 'loci-agents-'));
  const lociHome = join(folder, 'loci');
  const project = join(folder, 'shop');
  const bin = join(folder, 'bin');
  for (const each of [join(lociHome, 'config'), bin, join(project, '.git')])
    mkdirSync(each, { recursive: true, mode: 0o700 });
  symlinkSync(join(root, 'dist', 'loci.cjs'), join(bin, 'loci'));
  // a file and not the environment, of which some agents give a server nothing
  writeFileSync(join(lociHome, 'config', 'config.toml'), '[http]\nport = 0\n\n[hooks]\ndeadline_ms = 800\n', {
    mode: 0o600,
  });
  layOutGit(join(project, '.git'));
  const model = await startModelServer();
  const known = new Set<AgentName>();

  const settingOf = (name: AgentName): AgentSetting => ({
    home: join(folder, 'homes', agents[name].program),
    lociHome,
    modelPort: model.port,
    isByHand: !isBySetup,
  });

  function environment(agent: Agent): NodeJS.ProcessEnv {
    const setting = settingOf(agent.name);
    const proxy = `http://127.0.0.1:${model.port}`;
    return {
      PATH: [bin, programs, dirname(process.execPath), process.env.PATH].join(delimiter),
      HOME: setting.home,
      TMPDIR: setting.home,
      TERM: 'dumb',
      NO_COLOR: '1',
      HTTP_PROXY: proxy,
      HTTPS_PROXY: proxy,
      http_proxy: proxy,
      https_proxy: proxy,
      NO_PROXY: '127.0.0.1,localhost',
      no_proxy: '127.0.0.1,localhost',
      ...agent.env(setting),
    };
  }

  const execute = (agent: Agent, args: readonly string[], cwd: string, more: NodeJS.ProcessEnv = {}): Promise<Ended> =>
    runBounded(join(programs, agent.program), args, { cwd, env: { ...environment(agent), ...more } });

  function loci(name: AgentName, args: readonly string[]): Promise<Ended> {
    const env = { ...environment(agents[name]), LOCI_HOME: lociHome };
    return runBounded(process.execPath, [join(root, 'dist', 'loci.cjs'), ...args], { cwd: project, env });
  }

  /** The commands by which Loci is added, and what they said. */
  async function add(agent: Agent): Promise<readonly string[][]> {
    const setting = settingOf(agent.name);
    mkdirSync(setting.home, { recursive: true, mode: 0o700 });
    agent.configure(setting);
    const words = isBySetup ? ['setup', '--agent', agent.setupName, '--yes'] : agent.addLoci(setting);
    if (words === null) return [];
    const added = await (isBySetup ? loci(agent.name, words) : execute(agent, words, setting.home));
    const command = [isBySetup ? 'loci' : agent.program, ...words];
    if (added.code !== 0) throw new Error(`${command.join(' ')}: ${added.stdout}${added.stderr}`);
    return [command];
  }

  const paths = resolvePaths({ LOCI_HOME: lociHome });
  return {
    folder,
    paths,
    model,
    settingOf,
    loci,
    command: (name, args, env) => execute(agents[name], args, project, env),
    daemonPid: () => pidOf({ paths }),
    async run(name, prompt) {
      const agent = agents[name];
      const commands: (readonly string[])[] = [];
      if (!known.has(name)) {
        commands.push(...(await add(agent)));
        known.add(name);
      }
      const first = model.turns.length;
      const args = agent.run(prompt);
      commands.push([agent.program, ...args]);
      const ended = await execute(agent, args, project);
      return { agent: name, commands, prompt, ...ended, turns: model.turns.slice(first) };
    },
    async end() {
      const pid = await pidOf({ paths });
      if (pid !== null) await endProcess(pid);
      await model.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

function runBounded(
  program: string,
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let [stdout, stderr, isLate] = ['', '', false];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const timer = setTimeout(() => {
      isLate = true;
      endGroup(child.pid);
    }, runTimeoutMs);
    child.on('error', reject);
    child.on('exit', (code) => {
      clearTimeout(timer);
      endGroup(child.pid); // what an agent leaves behind may hold its pipes open
      const said = `${stdout}${stderr}`.slice(-2_000);
      if (isLate) reject(new Error(`${program} did not end within ${runTimeoutMs} ms: ${said}`));
      else setTimeout(() => resolve({ code, stdout, stderr }), 50);
    });
  });
}

/** Ends a group of processes that this file has started. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // all of them have ended
  }
}

/** As little as makes a folder a repository with a remote: the project is named after it. */
function layOutGit(folder: string): void {
  writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/main\n');
  for (const name of ['objects', 'refs']) mkdirSync(join(folder, name));
  writeFileSync(
    join(folder, 'config'),
    '[core]\n\trepositoryformatversion = 0\n\tbare = false\n[remote "origin"]\n\turl = git@example.org:acme/shop.git\n',
  );
}
