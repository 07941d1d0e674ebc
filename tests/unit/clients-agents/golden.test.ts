// Every agent against every state in which its files are found. What setup makes of empty homes and of homes with settings is written down
// below tests/golden/agents; `vitest -u` accepts a change of it.
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parse as parseJsonc } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { type AgentName, agentNames, type FileChange, inspectAgent } from '#clients/agents/index.ts';
import { type AgentHome, agentHome } from '../../support/agent-home.ts';
import { root } from '../../support/source-tree.ts';

type Fixture = { readonly name: string; readonly json: string; readonly toml: string; readonly mode?: number };

const json = `{
  "theme": "dark",
  "mcpServers": {
    "other": { "command": "other", "args": ["--x"] }
  },
  "hooks": {
    "SessionStart": [{ "hooks": [{ "type": "command", "command": "mine" }] }]
  },
  "last": [1, 2]
}
`;
const toml = `model = "m"

[mcp_servers.other]
command = "other"

[tui]
theme = "dark"
`;
const commented = `// a file of mine
{
   // keep me
   "theme": "dark", // and me
   "url": "https://x.test//y", /* and me */
   "hooks": {}
   // the end
}
`;
const commentedToml = `# a file of mine
model = "m" # and me

# about the next one
[mcp_servers.other] # a header
command = "other"
# the end
`;

const fixtures: readonly Fixture[] = [
  { name: 'empty', json: '', toml: '' },
  { name: 'an empty object', json: '{}', toml: '\n' },
  { name: 'existing', json, toml },
  { name: 'comments', json: commented, toml: commentedToml },
  { name: 'trailing commas', json: '{\n  "a": [\n    1,\n  ],\n  "hooks": {},\n}\n', toml: 'a = [\n  1,\n]\n' },
  { name: 'a BOM', json: `\uFEFF${json}`, toml: `\uFEFF${toml}` },
  { name: 'CRLF', json: json.replaceAll('\n', '\r\n'), toml: toml.replaceAll('\n', '\r\n') },
  { name: 'tabs', json: json.replaceAll('  ', '\t'), toml: toml.replaceAll('command', '\tcommand') },
  { name: 'one line', json: '{"a":1,"mcpServers":{},"hooks":{"x":[1]}}', toml: 'a = 1' },
  { name: 'no line end', json: json.trimEnd(), toml: toml.trimEnd() },
  { name: 'a mode of its own', json, toml, mode: 0o600 },
];

describe.each(agentNames)('%s', (name) => {
  it('an empty home: what is written is as written down, and undone nothing is left', async () => {
    const home = agentHome();
    const before = home.snapshot();
    expect(states(home.setup([name]))).toEqual(new Set(['create']));
    await expect(shown(home, name)).toMatchFileSnapshot(join(root, `tests/golden/agents/${name}.txt`));
    expectConnected(home, name);
    expectSecondRunWritesNothing(home, name);
    expect(states(home.undo())).toEqual(new Set(['remove']));
    expect(home.snapshot()).toEqual(before);
  });

  it.each(fixtures)('$name: ours is put in, everything else stays, undone it is what it was', (fixture) => {
    const home = agentHome();
    for (const file of home.settingsOf(name)) home.write(file, textFor(file, fixture), fixture.mode ?? 0o644);
    const before = home.snapshot();
    home.setup([name]);
    expectConnected(home, name);
    for (const file of home.settingsOf(name)) expectKept(home, file, fixture);
    expectSecondRunWritesNothing(home, name);
    home.undo();
    expect(home.snapshot()).toEqual(before);
  });

  it('a person writes between setup and undo: only ours goes', () => {
    const home = agentHome();
    for (const file of home.settingsOf(name))
      home.write(file, textFor(file, { name: '', json: commented, toml: commentedToml }));
    const before = home.snapshot();
    home.setup([name]);
    for (const file of home.settingsOf(name)) home.write(file, touched(home.read(file), file));
    home.undo();
    for (const file of home.settingsOf(name)) home.write(file, untouched(home.read(file)));
    expect(home.snapshot()).toEqual(before);
  });

  it('a link and a chain of links: the links stay, the file behind them changes', () => {
    const home = agentHome();
    const dotfiles = join(home.home, 'dotfiles');
    mkdirSync(join(dotfiles, 'more'), { recursive: true });
    home.settingsOf(name).forEach((file, index) => {
      const real = home.write(
        join('dotfiles', 'more', `real-${index}`),
        textFor(file, fixtures[2] ?? { name: '', json, toml }),
        0o600,
      );
      symlinkSync(relative(dotfiles, real), join(dotfiles, `link-${index}`));
      mkdirSync(dirname(join(home.home, file)), { recursive: true });
      symlinkSync(join(dotfiles, `link-${index}`), join(home.home, file));
    });
    const before = home.snapshot();
    home.setup([name]);
    const after = home.snapshot();
    for (const path of Object.keys(before)) {
      if (before[path]?.startsWith('link')) expect(after[path]).toBe(before[path]);
      if (path.includes('real-')) expect(after[path]).toMatch(/^600 /);
    }
    expectConnected(home, name);
    expect(Object.keys(after).filter((path) => path.includes('.loci-'))).toEqual([]);
    home.undo();
    expect(home.snapshot()).toEqual(before);
  });

  it('a link to nothing: the file is made where it leads', () => {
    const home = agentHome();
    for (const file of home.settingsOf(name)) {
      mkdirSync(dirname(join(home.home, file)), { recursive: true });
      symlinkSync(join(home.home, 'elsewhere', file.replaceAll('/', '-')), join(home.home, file));
    }
    const before = home.snapshot();
    home.setup([name]);
    expectConnected(home, name);
    home.undo();
    expect(home.snapshot()).toEqual(before);
  });

  it.each([
    ['read-only', (file: string) => (file.endsWith('.toml') ? toml : json), 0o444, /is read-only/],
    [
      'half-written',
      (file: string) => (file.endsWith('.toml') ? '[mcp_servers.x\na = ' : '{"a": [1, '),
      0o644,
      /is not valid/,
    ],
    [
      'a key twice',
      (file: string) => (file.endsWith('.toml') ? 'a = 1\na = 2\n' : '{"a": 1, "a": 2}'),
      0o644,
      /twice|is not valid/,
    ],
    ['no UTF-8', () => Buffer.from([0x61, 0xff, 0x62]), 0o644, /is not UTF-8/],
    [
      'no object',
      (file: string) =>
        file.endsWith('.toml')
          ? 'mcp_servers = 3\n'
          : '{"mcp": 3, "mcpServers": 3, "servers": 3, "context_servers": 3, "hooks": 3}',
      0o644,
      /holds no object|no place/,
    ],
  ])('%s: refused with the reason, and not touched', (_what, textOf, mode, why) => {
    const home = agentHome();
    for (const file of home.settingsOf(name)) home.write(file, textOf(file), mode);
    const before = home.snapshot();
    const changes = home.setup([name]).filter(({ file }) => home.settingsOf(name).includes(relative(home.home, file)));
    expect(states(changes)).toEqual(new Set(['refused']));
    for (const change of changes) expect(change.why).toMatch(why);
    const after = home.snapshot();
    for (const file of home.settingsOf(name)) expect(after[file]).toBe(before[file]);
  });

  it('changed by another program at the last moment: its words stay, ours wait for the next run', () => {
    const home = agentHome();
    for (const file of home.settingsOf(name)) home.write(file, textFor(file, { name: '', json, toml }));
    const settings = home.settingsOf(name).map((file) => join(home.home, file));
    const changes = home.setup([name], {
      atLast: (file) => settings.includes(file) && writeFileSync(file, `${readFileSync(file, 'utf8')}\n`),
    });
    for (const change of changes.filter(({ file }) => settings.includes(file))) {
      expect(change).toMatchObject({ state: 'refused', why: expect.stringContaining('meanwhile') });
      expect(readFileSync(change.file, 'utf8')).toBe(`${textFor(change.file, { name: '', json, toml })}\n`);
    }
    expect(Object.keys(home.snapshot()).filter((path) => path.includes('.loci-'))).toEqual([]);
    home.setup([name]);
    expectConnected(home, name);
  });
});

const textFor = (file: string, fixture: Fixture): string => (file.endsWith('.toml') ? fixture.toml : fixture.json);
const states = (changes: readonly FileChange[]): Set<string> => new Set(changes.map(({ state }) => state));
const parse = (file: string, text: string): Record<string, unknown> =>
  file.endsWith('.toml')
    ? parseToml(text.replace(/^\uFEFF/, ''))
    : ((parseJsonc(text.replace(/^\uFEFF/, '')) as Record<string, unknown>) ?? {});

/** A comment, as a person would leave one. */
function touched(text: string, file: string): string {
  return `${file.endsWith('.toml') ? '# touched' : '// touched'}\n${text}`;
}

function untouched(text: string): string {
  return text.replace(/^.*touched\n/, '');
}

function shown(home: AgentHome, name: AgentName): string {
  const files = Object.keys(home.snapshot()).filter((path) => statSync(join(home.home, path)).isFile());
  const settings = home.settingsOf(name);
  const isShown = (path: string): boolean => settings.includes(path) || path.includes('/hooks/');
  const parts = files.sort().map((path) => `== ${path}\n${isShown(path) ? home.read(path) : ''}`);
  return parts.join('\n').replaceAll(dirname(home.home), '~');
}

/** The server is there as the agent will start it, and each hook once. */
function expectConnected(home: AgentHome, name: AgentName): void {
  const state = inspectAgent(name, home.machine, home.program);
  expect(state.unreadable).toEqual([]);
  expect(state.servers).not.toEqual([]);
  for (const { command, args, env } of state.servers) {
    expect({ command, args, env }).toEqual({
      command: home.program.node,
      args: [home.program.script, 'mcp'],
      env: home.program.env,
    });
  }
  const commands = state.hooks.map(({ command }) => command);
  expect(new Set(commands).size).toBe(commands.length);
}

function expectKept(home: AgentHome, file: string, fixture: Fixture): void {
  const [before, after] = [textFor(file, fixture), home.read(file)];
  const [was, is] = [parse(file, before), parse(file, after)];
  for (const [key, value] of Object.entries(was)) {
    if (key !== 'hooks' && key !== 'mcpServers' && key !== 'mcp_servers') expect(is[key]).toEqual(value);
  }
  expect(is).toMatchObject(withoutLists(was));
  expect(isKeptIn(before, after)).toBe(true);
  if (before.startsWith('\uFEFF')) expect(after.startsWith('\uFEFF') && after.lastIndexOf('\uFEFF') === 0).toBe(true);
  if (before.includes('\r\n')) expect(after.replaceAll('\r\n', '')).not.toContain('\n');
  if (fixture.mode !== undefined) expect(statSync(join(home.home, file)).mode & 0o777).toBe(fixture.mode);
}

/** Whether every character of the first is in the second, in order: something was put in and nothing taken out. */
function isKeptIn(before: string, after: string): boolean {
  let at = 0;
  for (const char of after) if (char === before[at]) at += 1;
  return at === before.length;
}

/** Lists may have got an element of ours at their end. */
function withoutLists(value: unknown): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value, (_key, part) => (Array.isArray(part) ? undefined : part))) as Record<
    string,
    unknown
  >;
}

function expectSecondRunWritesNothing(home: AgentHome, name: AgentName): void {
  const before = home.snapshot();
  const old = new Date(2001, 1, 1);
  const files = Object.keys(before).map((path) => join(home.home, path));
  for (const file of files) utimesSync(file, old, old);
  const ledger = readFileSync(join(home.ledger, 'ledger.json'), 'utf8');
  expect(states(home.setup([name]))).toEqual(new Set(['same']));
  expect(home.snapshot()).toEqual(before);
  for (const file of files) expect(statSync(file).mtime).toEqual(old);
  expect(readFileSync(join(home.ledger, 'ledger.json'), 'utf8')).toBe(ledger);
  chmodSync(home.home, 0o755);
}
