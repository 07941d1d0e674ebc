// The cases of the public reports about installers, each from a config that somebody lost.
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseJsonc } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { readJsonc } from '#clients/agents/edits/jsonc.ts';
import { agents, type FileChange, inspectAgent, lociProgram, machineOf, planSetup } from '#clients/agents/index.ts';
import { agentHome } from '../../support/agent-home.ts';

const settings = '.claude/settings.json';

describe('settings of Claude Code', () => {
  it('B48 a BOM, comments, a trailing comma, three spaces and a // in a text stay to the byte', () => {
    const home = agentHome();
    const start =
      '\uFEFF{\n   // keep me\n   "url": "https://x.test//y", /* block */\n   "hooks": {\n      "Stop": [],\n   },\n}\n';
    home.write(settings, start);
    const before = home.snapshot();
    home.setup(['claude-code']);
    const once = home.read(settings);
    const ours = agents['claude-code'].plan({ ...home, hooks: true }).edits.filter(({ kind }) => kind === 'hook');
    expect(
      once.startsWith(
        '\uFEFF{\n   // keep me\n   "url": "https://x.test//y", /* block */\n   "hooks": {\n      "Stop": [],\n',
      ),
    ).toBe(true);
    expect(once.endsWith('\n      ],\n   },\n}\n')).toBe(true);
    expect(Object.keys((parseJsonc(once.slice(1)) as { hooks: object }).hooks)).toHaveLength(ours.length + 1);
    home.setup(['claude-code']);
    expect(home.read(settings)).toBe(once);
    home.undo();
    expect(home.snapshot()).toEqual(before);
  });

  it('B48 an unreadable file is untouched and says why', () => {
    const home = agentHome();
    home.write(settings, '{ "hooks": { // never closed\n');
    const change = home.setup(['claude-code']).find(({ file }) => file.endsWith('settings.json'));
    expect(change).toMatchObject({ state: 'refused', why: 'is not valid JSON at line 2' });
    expect(home.read(settings)).toBe('{ "hooks": { // never closed\n');
  });

  it('B49 hooks, permissions, env and status line of others stay in order; ours come once and last; a backup is kept, owner only', () => {
    const home = agentHome();
    const foreign = {
      permissions: { allow: ['Bash(ls:*)'] },
      env: { TOKEN: 'not-a-secret' },
      statusLine: { type: 'command', command: 'status' },
      hooks: {
        SessionStart: [
          { hooks: [{ type: 'command', command: 'first' }] },
          { matcher: 'resume', hooks: [{ type: 'command', command: 'second' }] },
        ],
        PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'guard' }] }],
      },
    };
    const start = JSON.stringify(foreign, null, 4);
    home.write(settings, start, 0o640);
    const { changes } = planSetup(home.ledger, { ...home, names: ['claude-code'], hooks: true });
    expect(changes.find(({ file }) => file.endsWith('settings.json'))).toMatchObject({ state: 'change' });
    expect(home.read(settings)).toBe(start);
    home.setup(['claude-code']);
    const after = JSON.parse(home.read(settings)) as typeof foreign;
    expect({ ...after, hooks: null }).toEqual({ ...foreign, hooks: null });
    expect(after.hooks.SessionStart.slice(0, 2)).toEqual(foreign.hooks.SessionStart);
    expect(after.hooks.SessionStart).toHaveLength(3);
    expect(after.hooks.PreToolUse).toEqual(foreign.hooks.PreToolUse);
    expect(statSync(join(home.home, settings)).mode & 0o777).toBe(0o640);
    const [backup = ''] = readdirSync(join(home.ledger, 'backups'));
    expect(readFileSync(join(home.ledger, 'backups', backup), 'utf8')).toBe(start);
    expect(statSync(join(home.ledger, 'backups', backup)).mode & 0o777).toBe(0o600);
    expect(statSync(join(home.ledger, 'ledger.json')).mode & 0o777).toBe(0o600);
    expect(statSync(home.ledger).mode & 0o777).toBe(0o700);
    home.undo();
    expect(home.read(settings)).toBe(start);
    expect(readdirSync(join(home.ledger, 'backups'))).toEqual([]);
  });

  it('B50 a link into dotfiles stays a link; the file behind it changes and keeps its mode 0600', () => {
    const home = agentHome();
    const real = home.write('dotfiles/settings.json', '{}\n', 0o600);
    mkdirSync(join(home.home, '.claude'));
    symlinkSync(real, join(home.home, settings));
    home.setup(['claude-code']);
    expect(lstatSync(join(home.home, settings)).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(real, 'utf8'))).toHaveProperty('hooks.SessionStart');
    expect(statSync(real).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(home.home, 'dotfiles'))).toEqual(['settings.json']);
  });

  it('B51 three runs, a run from another place and one with another command line leave one hook an event', () => {
    const home = agentHome();
    const before = home.snapshot();
    for (let run = 0; run < 3; run += 1) home.setup(['claude-code']);
    const other = { node: '/usr/bin/node', script: '/home/me/My Tools/loci.cjs', env: { LOCI_HOME: '/srv/it' } };
    home.setup(['claude-code'], { program: other });
    const { hooks } = JSON.parse(home.read(settings)) as { hooks: Record<string, { hooks: { command: string }[] }[]> };
    for (const [event, groups] of Object.entries(hooks)) {
      expect([event, groups.map((group) => group.hooks.map(({ command }) => command))]).toEqual([
        event,
        [
          [
            expect.stringMatching(
              /^\/usr\/bin\/node '\/home\/me\/My Tools\/loci\.cjs' hook [\w-]+ --agent claude-code --home \/srv\/it$/,
            ),
          ],
        ],
      ]);
    }
    const { mcpServers } = JSON.parse(home.read('.claude.json')) as { mcpServers: Record<string, object> };
    expect(mcpServers).toEqual({
      loci: { type: 'stdio', command: other.node, args: [other.script, 'mcp'], env: other.env, alwaysLoad: true },
    });
    home.undo();
    expect(home.snapshot()).toEqual(before);
  });

  it('B51 doubles that older versions made are seen by inspection and united by setup; what a person put beside ours stays', () => {
    const home = agentHome();
    const old = {
      type: 'command',
      command: '/old/node /old/loci.cjs hook session-start --agent claude-code',
      timeout: 9,
    };
    const theirs = { type: 'command', command: 'echo loci hook' };
    home.write(
      settings,
      JSON.stringify(
        { hooks: { SessionStart: [{ hooks: [theirs, old] }, { hooks: [old] }, { hooks: [theirs] }] } },
        null,
        2,
      ),
    );
    const found = () =>
      inspectAgent('claude-code', home.machine, home.program).hooks.filter(({ event }) => event === 'SessionStart');
    expect(found().filter(({ command }) => command.includes('loci.cjs'))).toHaveLength(2);
    home.setup(['claude-code']);
    const { hooks } = JSON.parse(home.read(settings)) as { hooks: { SessionStart: { hooks: object[] }[] } };
    expect(hooks.SessionStart).toEqual([
      { hooks: [theirs, { type: 'command', command: expect.stringContaining('/opt/loci/dist/loci.cjs'), timeout: 5 }] },
      { hooks: [theirs] },
    ]);
  });

  it('with its plugin on nothing is written beside it; with the plugin off all is', () => {
    const home = agentHome();
    home.write(settings, JSON.stringify({ enabledPlugins: { 'loci@loci': true } }));
    expect(home.setup(['claude-code'])).toEqual([]);
    expect(inspectAgent('claude-code', home.machine, home.program).hasPlugin).toBe(true);
    home.write(settings, JSON.stringify({ enabledPlugins: { 'loci@loci': false } }));
    expect(home.setup(['claude-code']).map(({ state }) => state)).toContain('change');
  });

  it('what stands in the settings beside a plugin is seen, since it would run twice', () => {
    const home = agentHome();
    home.setup(['claude-code']);
    const written = JSON.parse(home.read(settings)) as object;
    home.write(settings, JSON.stringify({ ...written, enabledPlugins: { 'loci@somewhere': true } }));
    const { hasPlugin, hooks, servers } = inspectAgent('claude-code', home.machine, home.program);
    expect({ hasPlugin, hooks: hooks.length, servers: servers.length }).toEqual({
      hasPlugin: true,
      hooks: 5,
      servers: 1,
    });
  });

  it('CLAUDE_CONFIG_DIR moves all of it, the older file of servers wins where there is one, and --no-hooks leaves the settings alone', () => {
    const home = agentHome();
    const env = { CLAUDE_CONFIG_DIR: join(home.home, 'work') };
    const filesOf = (changes: readonly FileChange[]) => changes.map(({ file }) => file.slice(home.home.length + 1));
    const files = filesOf(home.setup(['claude-code'], { env }));
    expect(files.every((file) => file.startsWith('work/'))).toBe(true);
    expect(files).toContain('work/.claude.json');
    home.write('work/.config.json', '{}');
    expect(filesOf(home.setup(['claude-code'], { env, hooks: false }))).toEqual(
      expect.arrayContaining(['work/.config.json', 'work/commands/loci.md']),
    );
    expect(filesOf(home.setup(['claude-code'], { env, hooks: false }))).not.toContain('work/settings.json');
  });
});

describe('settings of Codex', () => {
  const config = '.codex/config.toml';

  it('B52 a table by hand with its own env, inline tables, comments and CRLF: valid both times, the user’s keys kept, foreign servers untouched', () => {
    const home = agentHome();
    const start = [
      '# my Codex',
      'model = "m" # fast',
      'shell = { inherit = "all", set = { A = "1" } }',
      '',
      '[mcp_servers.loci] # by hand',
      'command = "loci"',
      'args = ["mcp"]',
      'startup_timeout_sec = 20',
      '',
      '[mcp_servers.loci.env]',
      'LOCI_TOOLS = "all"',
      '',
      '[mcp_servers.other]',
      'command = "other" # theirs',
      '',
    ].join('\r\n');
    home.write(config, start);
    home.setup(['codex']);
    const once = home.read(config);
    expect(parseToml(once)).toEqual({
      model: 'm',
      shell: { inherit: 'all', set: { A: '1' } },
      mcp_servers: {
        loci: {
          command: home.program.node,
          args: [home.program.script, 'mcp'],
          startup_timeout_sec: 20,
          env: { LOCI_TOOLS: 'all', ...home.program.env },
          tools: { memory: { approval_mode: 'approve' }, execute_tool: { approval_mode: 'approve' } },
        },
        other: { command: 'other' },
      },
    });
    for (const comment of ['# my Codex', '# fast', '# by hand', '# theirs']) expect(once).toContain(comment);
    expect(once.replaceAll('\r\n', '')).not.toContain('\n');
    home.setup(['codex']);
    expect(home.read(config)).toBe(once);
    home.setup(['codex'], { program: { script: '/new/loci.cjs' } });
    expect(parseToml(home.read(config))).toHaveProperty('mcp_servers.loci.startup_timeout_sec', 20);
    home.undo();
    expect(home.read(config)).toBe(start);
  });

  it('never marks its own hooks as trusted', () => {
    const home = agentHome();
    home.setup(['codex']);
    expect(home.read(config)).not.toMatch(/hooks|trust/);
    expect(home.read('.codex/hooks.json')).not.toContain('trust');
  });
});

describe('settings of OpenCode', () => {
  const folder = '.config/opencode';
  const file = (name: string) => join(folder, name);
  const mcp = (text: string) => (parseJsonc(text) as { mcp?: { loci?: object } }).mcp;

  it('B53 only the .jsonc is there: that is edited and no .json made', () => {
    const home = agentHome();
    home.write(file('opencode.jsonc'), '{ // mine\n}\n');
    home.setup(['opencode']);
    expect(mcp(home.read(file('opencode.jsonc')))?.loci).toMatchObject({ type: 'local', enabled: true });
    expect(Object.keys(home.snapshot())).not.toContain(file('opencode.json'));
  });

  it('B53 both are there: the one that wins is edited, and named', () => {
    const home = agentHome();
    home.write(file('opencode.json'), '{}');
    home.write(file('opencode.jsonc'), '{}');
    const { notes } = planSetup(home.ledger, { ...home, names: ['opencode'], hooks: true });
    expect(notes.map(({ text }) => text)).toEqual([
      expect.stringMatching(/opencode\.jsonc is in force over .*opencode\.json,/),
    ]);
    home.setup(['opencode']);
    expect(mcp(home.read(file('opencode.jsonc')))).toHaveProperty('loci');
    expect(home.read(file('opencode.json'))).toBe('{}');
  });

  it('B53 none is there: one is made; OPENCODE_CONFIG and OPENCODE_CONFIG_DIR are honoured', () => {
    const home = agentHome();
    home.setup(['opencode']);
    expect(mcp(home.read(file('opencode.json')))).toHaveProperty('loci');
    home.setup(['opencode'], { env: { OPENCODE_CONFIG: join(home.home, 'own.json') } });
    expect(mcp(home.read('own.json'))).toHaveProperty('loci');
    home.setup(['opencode'], { env: { OPENCODE_CONFIG_DIR: join(home.home, 'dir') } });
    expect(mcp(home.read('dir/opencode.json'))).toHaveProperty('loci');
  });

  it('the newer shape, where the file has it, is used', () => {
    const home = agentHome();
    home.write(file('opencode.json'), '{"mcp": {"servers": {"other": {"type": "local", "command": ["x"]}}}}');
    home.setup(['opencode']);
    const { servers } = JSON.parse(home.read(file('opencode.json'))).mcp as { servers: object };
    expect(servers).toEqual({
      other: { type: 'local', command: ['x'] },
      loci: {
        type: 'local',
        command: [home.program.node, home.program.script, 'mcp'],
        environment: home.program.env,
      },
    });
  });
});

describe('a home with a name of its own', () => {
  it('B56 the hook runs by sh -c and as a list of words, and nothing in its path is expanded or run', () => {
    const home = agentHome('My Home $(touch HURT) \'q\' "r"');
    const script = home.write('dist/loci.cjs', 'process.stdout.write(JSON.stringify(process.argv.slice(1)))');
    const program = { node: process.execPath, script, env: { LOCI_HOME: join(home.home, 'loci `touch HURT`') } };
    home.setup(['claude-code', 'copilot-cli', 'cursor'], { program });
    const machine = machineOf({ HOME: home.home }, 'linux');
    for (const name of ['claude-code', 'copilot-cli', 'cursor'] as const) {
      const { hooks } = inspectAgent(name, machine, { ...home.program, ...program });
      expect(hooks.length).toBeGreaterThan(1);
      for (const { command } of hooks) {
        const words = JSON.parse(execFileSync('sh', ['-c', command], { cwd: home.home, encoding: 'utf8' })) as string[];
        expect(words).toEqual([script, 'hook', expect.any(String), '--agent', name, '--home', program.env.LOCI_HOME]);
      }
    }
    const [server] = inspectAgent('claude-code', machine, { ...home.program, ...program }).servers;
    const words = JSON.parse(
      execFileSync(server?.command ?? '', [...(server?.args ?? [])], { encoding: 'utf8' }),
    ) as string[];
    expect(words).toEqual([script, 'mcp']);
    expect(readdirSync(home.home)).not.toContain('HURT');
  });
});

describe('undoing', () => {
  it('an entry that a person has changed is reported and stays; the others go', () => {
    const home = agentHome();
    home.setup(['claude-code', 'cursor']);
    const file = join(home.home, '.cursor/mcp.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"mcp"', '"mcp", "--tools", "all"'));
    const kept = home.undo().filter(({ why }) => why !== null);
    expect(kept).toMatchObject([{ file, state: 'kept', why: expect.stringContaining('`mcpServers.loci`') }]);
    expect(readFileSync(file, 'utf8')).toContain('--tools');
    expect(Object.keys(home.snapshot()).filter((path) => path.startsWith('.claude'))).toEqual([]);
    expect(home.undo()).toMatchObject([{ file, state: 'kept' }]);
  });

  it('leaves what the hooks need that a person put into a file of ours', () => {
    const home = agentHome();
    home.setup(['cursor']);
    const file = '.cursor/hooks.json';
    const written = JSON.parse(home.read(file)) as { hooks: object };
    const mine = { stop: [{ command: 'mine' }] };
    home.write(file, JSON.stringify({ ...written, hooks: { ...written.hooks, ...mine } }, null, 2));
    home.undo();
    expect(JSON.parse(home.read(file))).toEqual({ version: 1, hooks: mine });
  });

  it('of one agent leaves the others connected', () => {
    const home = agentHome();
    home.setup(['codex', 'gemini']);
    const whole = home.snapshot();
    home.undo('gemini');
    expect(inspectAgent('codex', home.machine, home.program).servers).toHaveLength(1);
    expect(inspectAgent('gemini', home.machine, home.program).servers).toEqual([]);
    home.setup(['gemini']);
    expect(home.snapshot()).toEqual(whole);
  });

  it('a skill that a person has rewritten is theirs: setup leaves it, and so does undoing', () => {
    const home = agentHome();
    home.setup(['claude-code']);
    const skill = '.claude/skills/loci-recall/SKILL.md';
    home.write(skill, 'my own words');
    const again = home.setup(['claude-code']).find(({ file }) => file.endsWith(skill));
    expect(again).toMatchObject({ state: 'kept', why: 'has words of yours and stays as it is' });
    home.undo();
    expect(home.read(skill)).toBe('my own words');
  });
});

describe('where Loci lives', () => {
  it('goes with every entry and hook: home, socket and the XDG folders that are set, and nothing that is not', () => {
    const home = agentHome();
    const env = {
      LOCI_HOME: '/srv/it',
      LOCI_SOCKET: '/run/it/loci.sock',
      XDG_DATA_HOME: '/data',
      LOCI_TOKEN: 'x',
      PATH: '/bin',
    };
    const script = home.write('dist/loci.cjs', '');
    const program = lociProgram(env, script, '/usr/bin/node');
    expect(program.env).toEqual({ LOCI_HOME: '/srv/it', LOCI_SOCKET: '/run/it/loci.sock', XDG_DATA_HOME: '/data' });
    home.setup(['claude-code', 'opencode', 'copilot-cli'], { program: { env: program.env } });
    for (const file of ['.claude/settings.json', '.copilot/hooks/loci.json', '.config/opencode/plugins/loci.js'])
      expect(home.read(file)).toMatch(/--home[", ]+\/srv\/it[", ]+--socket[", ]+\/run\/it\/loci\.sock/);
  });

  it('a file of state of ten megabytes is parsed a few times, however many looks an edit takes', () => {
    const home = agentHome();
    const history = Array.from({ length: 20 }, () => 'x'.repeat(450));
    const projects = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`/srv/${n}`, { history }]));
    const text = JSON.stringify({ projects }, null, 2);
    home.write('.claude.json', text);
    const before = home.snapshot();
    const parseMs = timeOf(() => readJsonc(`${text}\n`));
    expect(timeOf(() => home.setup(['claude-code']))).toBeLessThan(6 * parseMs + 1_000);
    home.undo();
    expect(home.snapshot()).toEqual(before);
  });
});

function timeOf(run: () => unknown): number {
  const startMs = performance.now();
  run();
  return performance.now() - startMs;
}
