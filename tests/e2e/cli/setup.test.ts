// `loci setup` as it is shipped, on a home of its own: what it says, what it answers to scripts, and what it leaves alone.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { agentNames } from '#clients/agents/index.ts';
import { homeIn, pidOf } from '../../support/daemon-process.ts';
import { type ProgramRun, runLoci } from '../../support/run-program.ts';
import { root } from '../../support/source-tree.ts';
import { tempFolder } from '../../support/temp-folder.ts';

type Home = {
  readonly home: string;
  readonly project: string;
  run(...args: string[]): Promise<ProgramRun>;
  json(...args: string[]): Promise<{ files: File[]; agents: string[]; notes: { text: string }[] }>;
  read(path: string): string;
};

type File = { file: string; agents: string[]; state: string; why: string | null; diff: string };

function openHome(...folders: readonly string[]): Home {
  const folder = tempFolder();
  const home = join(folder, 'home');
  const project = join(home, 'src', 'shop');
  for (const each of [join(project, '.git'), join(project, 'lib'), ...folders.map((one) => join(home, one))])
    mkdirSync(each, { recursive: true });
  const env = { PATH: '/usr/bin:/bin', HOME: home, LOCI_HOME: join(folder, 'loci'), LOCI_NO_AUTOSTART: '1' };
  const run = (...args: string[]) => runLoci(['setup', ...args], { env, cwd: join(project, 'lib') });
  return {
    home,
    project,
    run,
    async json(...args) {
      const { stdout } = await run(...args, '--json');
      return JSON.parse(stdout) as { files: File[]; agents: string[]; notes: { text: string }[] };
    },
    read: (path) => readFileSync(join(home, path), 'utf8'),
  };
}

const allFolders = [
  ...[
    '.claude',
    '.config/Claude',
    '.cursor',
    '.codex',
    '.gemini',
    '.gemini/antigravity-cli',
    '.config/Code',
    '.copilot',
  ],
  ...['.config/opencode', '.codeium/windsurf', '.config/zed', '.config/mcp'],
];

it('all twelve agents are found by their folders, connected within two seconds, and taken back', async () => {
  const home = openHome(...allFolders);
  const startMs = performance.now();
  const { agents, files } = await home.json('--all', '--yes');
  expect(performance.now() - startMs).toBeLessThan(2_000);
  expect(agents).toEqual(agentNames);
  expect(new Set(files.map(({ state }) => state))).toEqual(new Set(['create']));
  const again = await home.run('--all', '--yes');
  expect(again).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`Files: ${files.length} as they should be.`),
  });
  await home.run('--undo', '--yes');
  for (const { file } of files) expect(existsSync(file)).toBe(false);
});

it('a program on the PATH is enough to be found', async () => {
  const home = openHome();
  const bin = join(home.home, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'codex'), '#!/bin/sh\n');
  chmodSync(join(bin, 'codex'), 0o755);
  const env = { PATH: bin, HOME: home.home, LOCI_HOME: join(home.home, 'loci') };
  const { stdout } = await runLoci(['setup', '--all', '--dry-run', '--json'], { env });
  expect(JSON.parse(stdout)).toMatchObject({ agents: ['codex'], dry_run: true });
});

it('--dry-run shows every line that would come, and writes nothing, not even of its own', async () => {
  const home = openHome('.cursor');
  writeFileSync(join(home.home, '.cursor/mcp.json'), '{\n  "mcpServers": {\n    "a": { "command": "x" }\n  }\n}\n');
  const { code, stdout } = await home.run('--agent', 'cursor', '--dry-run');
  expect(code).toBe(0);
  expect(stdout).toContain(join(home.home, '.cursor/mcp.json'));
  expect(stdout).toMatch(/^ {2}\+ {5}"loci": \{$/m);
  expect(stdout).toContain('  -     "a": { "command": "x" }\n  +     "a": { "command": "x" },\n');
  expect(stdout).toContain('Nothing was changed.');
  expect(home.read('.cursor/mcp.json')).not.toContain('loci');
  expect(existsSync(join(home.home, '..', 'loci'))).toBe(false);
});

it('starts the daemon, so that the first session of an agent does not wait for it', async () => {
  const { folder, paths } = homeIn(tempFolder());
  const env = { PATH: '', HOME: folder, LOCI_HOME: folder, LOCI_PORT: '0' };
  expect(await runLoci(['setup', '--agent', 'zed', '--dry-run'], { env })).toMatchObject({ code: 0 });
  expect(existsSync(paths.card)).toBe(false);
  expect(await runLoci(['setup', '--agent', 'zed', '--yes'], { env })).toMatchObject({ code: 0 });
  await expect.poll(() => pidOf({ paths }), { timeout: 30_000 }).not.toBeNull();
});

it('says what is to be restarted, and that Codex wants its hooks trusted', async () => {
  const { code, stdout, stderr } = await openHome().run('--agent', 'codex', '--yes');
  expect(code).toBe(0);
  expect(stdout).toContain('Start a new session of Codex.');
  expect(stderr).toContain('/hooks');
});

it('one file that cannot be read does not keep the others from theirs, and the exit code tells', async () => {
  const home = openHome('.cursor');
  writeFileSync(join(home.home, '.cursor/mcp.json'), '{ "mcpServers": ');
  const { code, stderr } = await home.run('--agent', 'cursor', '--agent', 'zed', '--yes');
  expect(code).toBe(4);
  expect(stderr).toContain('mcp.json is not valid JSON at line 1.');
  expect(home.read('.cursor/mcp.json')).toBe('{ "mcpServers": ');
  expect(home.read('.config/zed/settings.json')).toContain('"loci"');
});

it.each([
  [['--agent', 'emacs'], 2, /there are claude-code, claude-desktop/],
  [[], 2, /name agents with --agent, or say --all/],
  [['--all'], 3, /No agent was found/],
  [['--agent', 'zed'], 2, /add --yes/],
])('%j is refused with a sentence', async (args, code, message) => {
  const home = openHome();
  const run = await home.run(...args);
  expect(run.code).toBe(code);
  expect(run.stderr).toMatch(message);
  expect(existsSync(join(home.home, '.config'))).toBe(false);
});

it('--project puts a section into the AGENTS.md of the project and takes it out again', async () => {
  const home = openHome();
  const file = join(home.project, 'AGENTS.md');
  writeFileSync(file, '# Shop\n\nRun the tests.');
  expect((await home.run('--project', '--yes')).code).toBe(0);
  const once = readFileSync(file, 'utf8');
  expect(once).toMatch(/^# Shop\n\nRun the tests\.\n\n<!-- loci:begin -->\n## Memory\n[\s\S]*<!-- loci:end -->\n$/);
  for (const word of ['memory_sync', 'loci search', 'POST /memories/checkpoint', 'memory_save'])
    expect(once).toContain(word);
  await home.run('--project', '--yes');
  expect(readFileSync(file, 'utf8')).toBe(once);
  writeFileSync(file, `${once}\nMore of mine.\n`);
  await home.run('--undo', '--yes');
  expect(readFileSync(file, 'utf8')).toContain('## Memory');
  await home.run('--undo', '--project', '--yes');
  expect(readFileSync(file, 'utf8')).toBe('# Shop\n\nRun the tests.\n\nMore of mine.\n');
});

it('what edits files is loaded by setup alone', async () => {
  const cli = readFileSync(join(root, 'dist', 'cli.js'), 'utf8');
  const chunks = [...cli.matchAll(/from\s*"\.\/(chunks\/[^"]+)"/g)].map(([, path]) =>
    readFileSync(join(root, 'dist', path ?? ''), 'utf8'),
  );
  for (const text of [cli, ...chunks]) expect(text).not.toMatch(/getNodeValue|multiselect\(/);
});
