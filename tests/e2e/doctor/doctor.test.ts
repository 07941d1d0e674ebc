// The built programs on a home with agents in it: what the doctor sees, that it changes nothing, and what --fix mends.
import { appendFileSync, chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { schemaVersion } from '#daemon/storage/migrate.ts';
import { type Home, homeIn, pidOf, startProcess, untilUp } from '../../support/daemon-process.ts';
import { allTables, checkKeywordIndex } from '../../support/open-store-file.ts';
import { connectTo, locid } from '../../support/real-daemon.ts';
import { runLoci } from '../../support/run-program.ts';
import { tempFolder } from '../../support/temp-folder.ts';

type Finding = { about: string; status: string; says: string; mend: string | null; fixed?: boolean };

async function examine(home: Home, ...flags: string[]): Promise<{ code: number | null; findings: Finding[] }> {
  const run = await runLoci(['doctor', '--json', ...flags], { env: home.env });
  expect(run.stderr).toBe('');
  return { code: run.code, findings: (JSON.parse(run.stdout) as { findings: Finding[] }).findings };
}

function about(findings: readonly Finding[], name: string): Finding | undefined {
  return findings.find((finding) => finding.about === name);
}

/** A home with these agents' folders, connected by `loci setup`. */
async function homeWithAgents(...folders: string[]): Promise<Home> {
  const home = homeIn(tempFolder());
  for (const folder of folders) mkdirSync(join(home.folder, folder));
  const setup = await runLoci(['setup', '--all', '--yes', '--quiet'], { env: home.env });
  expect(setup, setup.stderr).toMatchObject({ code: 0 });
  return home;
}

async function runningStore(home: Home): Promise<void> {
  const connection = connectTo(home);
  await connection.call('memory_save', { content: 'Deploys are run by the release train on Tuesdays.' });
  await connection.call('memory_sync', {});
}

describe('a daemon that runs', () => {
  it('is read and not changed; an agent’s own command is tried, and answers', async () => {
    const home = await homeWithAgents('.claude');
    await runningStore(home);
    const before = allTables(home.folder);
    const { code, findings } = await examine(home);
    expect(code, JSON.stringify(findings)).toBe(0);
    expect(about(findings, 'Claude Code')).toMatchObject({
      status: 'ok',
      says: expect.stringMatching(/^connected: 8 tools/),
    });
    expect(about(findings, 'daemon')).toMatchObject({ status: 'ok' });
    expect(allTables(home.folder)).toEqual(before);
  });
});

describe('a home where no daemon runs', () => {
  it('is looked at offline; none is started, and the database keeps its bytes', async () => {
    const home = await homeWithAgents('.claude');
    await runningStore(home);
    await runLoci(['stop'], { env: home.env });
    const bytes = readFileSync(home.paths.database);
    const { code, findings } = await examine(home);
    expect(code, JSON.stringify(findings)).toBe(0);
    expect(about(findings, 'daemon')).toMatchObject({ status: 'notice', mend: 'loci start' });
    expect(about(findings, 'database')).toMatchObject({ status: 'ok' });
    expect(about(findings, 'keyword index')).toMatchObject({ status: 'ok' });
    expect(about(findings, 'Claude Code')).toMatchObject({ status: 'ok' });
    expect(await pidOf(home)).toBeNull();
    expect(readFileSync(home.paths.database).equals(bytes)).toBe(true);
  });

  it('B61 a keyword index that was spoiled by hand is found out, and rebuilt by --repair', async () => {
    const home = homeIn(tempFolder());
    await runningStore(home);
    await runLoci(['stop'], { env: home.env });
    const database = new Sqlite(home.paths.database);
    database.exec("INSERT INTO search_words(search_words) VALUES ('delete-all')");
    database.close();
    const { code, findings } = await examine(home);
    expect(code).toBe(1);
    expect(about(findings, 'keyword index')).toMatchObject({ status: 'broken', mend: 'loci doctor --repair' });
    const stopped = await examine(home, '--repair');
    expect(about(stopped.findings, 'repair')).toMatchObject({ mend: 'loci start && loci doctor --repair' });
    await runLoci(['start'], { env: home.env });
    const repaired = await examine(home, '--repair');
    expect(about(repaired.findings, 'repair')).toMatchObject({
      status: 'ok',
      says: expect.stringContaining('1 memories were read from it'),
    });
    expect(repaired.code, JSON.stringify(repaired.findings)).toBe(0);
    const { results } = (await connectTo(home).call('memory_search', { query: 'release train', mode: 'keyword' })) as {
      results: unknown[];
    };
    expect(results).toHaveLength(1);
    checkKeywordIndex(home.folder);
    expect(about((await examine(home, '--repair')).findings, 'repair')?.says).toContain('nothing was done');
  });

  it('B59 with a newer database is explained with both versions; its bytes stay, and a hook ends quietly', async () => {
    const home = homeIn(tempFolder());
    await runningStore(home);
    await runLoci(['stop'], { env: home.env });
    const database = new Sqlite(home.paths.database);
    database.pragma(`user_version = ${schemaVersion + 1}`);
    database.exec('ALTER TABLE memories ADD COLUMN of_tomorrow TEXT');
    database.close();
    const bytes = readFileSync(home.paths.database);
    const says = expect.stringMatching(
      new RegExp(`newer version of Loci .schema ${schemaVersion + 1}, this one knows ${schemaVersion}`),
    );
    const update = 'npm install -g loci-memory@latest && loci restart';

    const offline = await examine(home);
    expect(offline.code).toBe(1);
    expect(about(offline.findings, 'store')).toMatchObject({ status: 'broken', says, mend: update });

    startProcess(locid, home.env);
    await untilUp(home);
    const online = await examine(home);
    expect(online.code).toBe(1);
    expect(about(online.findings, 'store')).toMatchObject({ status: 'broken', says, mend: update });

    const hook = await runLoci(['hook', 'user-prompt'], { env: home.env, stdin: '{"prompt": "when do we deploy"}' });
    expect(hook).toMatchObject({ code: 0, stdout: '' });
    expect(readFileSync(home.paths.database).equals(bytes)).toBe(true);
  });
});

describe('agents', () => {
  it('that are there and not connected are told with the command that connects them', async () => {
    const home = homeIn(tempFolder());
    mkdirSync(join(home.folder, '.cursor'));
    const { code, findings } = await examine(home);
    expect(code).toBe(0);
    expect(about(findings, 'Cursor')).toMatchObject({ status: 'notice', mend: 'loci setup --agent cursor' });
  });

  it('whose Node has moved are broken, and set up anew by --fix', async () => {
    const home = await homeWithAgents('.cursor');
    const file = join(home.folder, '.cursor', 'mcp.json');
    const good = readFileSync(file, 'utf8');
    writeFileSync(file, good.replace(JSON.stringify(process.execPath), '"/nowhere/.nvm/bin/node"'));
    const found = await examine(home);
    expect(found.code).toBe(1);
    expect(about(found.findings, 'Cursor')).toMatchObject({
      status: 'broken',
      says: expect.stringContaining('/nowhere/.nvm/bin/node is not there'),
      mend: 'loci setup --agent cursor',
    });
    const fixed = await examine(home, '--fix');
    expect(about(fixed.findings, 'Cursor')).toMatchObject({ fixed: true });
    expect(fixed.code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(good);
  });

  it('Codex: hooks that are installed and not trusted are told, until each is trusted', async () => {
    const home = await homeWithAgents('.codex');
    const trust = async () => about((await examine(home)).findings, 'Codex trust');
    expect(await trust()).toMatchObject({
      status: 'broken',
      says: expect.stringMatching(/installed and not trusted, so Codex skips them: SessionStart/),
      mend: 'codex, then /hooks in its session',
    });
    const file = join(home.folder, '.codex', 'hooks.json');
    const { hooks } = JSON.parse(readFileSync(file, 'utf8')) as { hooks: Record<string, unknown[]> };
    const config = join(home.folder, '.codex', 'config.toml');
    for (const event of Object.keys(hooks)) {
      const key = `${file}:${event.replace(/(?!^)([A-Z])/g, '_$1').toLowerCase()}:0:0`;
      appendFileSync(config, `\n[hooks.state."${key}"]\ntrusted_hash = "sha256:00"\n`);
    }
    expect(await trust()).toMatchObject({ status: 'ok' });
    writeFileSync(
      config,
      readFileSync(config, 'utf8').replace(
        /trusted_hash = "sha256:00"\n$/,
        'enabled = false\ntrusted_hash = "sha256:00"\n',
      ),
    );
    expect(await trust()).toMatchObject({ status: 'notice', says: expect.stringContaining('Switched off') });
    appendFileSync(config, '\n[features]\nhooks = false\n');
    expect(await trust()).toMatchObject({ status: 'broken', mend: `$EDITOR ${config}` });
  });

  it('B51 hooks that an older version doubled are told, and single again after --fix', async () => {
    const home = await homeWithAgents('.claude');
    const file = join(home.folder, '.claude', 'settings.json');
    const settings = JSON.parse(readFileSync(file, 'utf8')) as { hooks: Record<string, unknown[]> };
    const old = {
      hooks: [{ type: 'command', command: '/usr/bin/node /opt/old/loci.cjs hook session-start --agent claude-code' }],
    };
    settings.hooks.SessionStart?.push(old);
    writeFileSync(file, JSON.stringify(settings, null, 2));
    const found = await examine(home);
    expect(about(found.findings, 'Claude Code hooks')).toMatchObject({
      status: 'broken',
      says: expect.stringContaining('SessionStart runs 2 times'),
      mend: 'loci setup --agent claude-code',
    });
    await examine(home, '--fix');
    const { findings } = await examine(home);
    expect(about(findings, 'Claude Code hooks')).toMatchObject({ status: 'notice' });
  });

  it('with a plugin beside the settings are told to be installed twice', async () => {
    const home = await homeWithAgents('.claude');
    const file = join(home.folder, '.claude', 'settings.json');
    const settings = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...settings, enabledPlugins: { 'loci@loci': true } }, null, 2));
    const { code, findings } = await examine(home);
    expect(code).toBe(1);
    expect(findings.filter(({ says }) => says.includes('installed twice')).map(({ about: name }) => name)).toEqual([
      'Claude Code',
      'Claude Code hooks',
    ]);
  });

  it('tell their last event', async () => {
    const home = await homeWithAgents('.claude');
    const before = await examine(home);
    expect(about(before.findings, 'Claude Code hooks')?.says).toContain('no event came yet');
    const stdin = JSON.stringify({
      hook_event_name: 'UserPromptSubmit',
      session_id: 's',
      prompt: 'x',
      cwd: home.folder,
    });
    await runLoci(['hook', 'user-prompt', '--agent', 'claude-code'], {
      env: { ...home.env, LOCI_NO_AUTOSTART: '1' },
      stdin,
    });
    const after = await examine(home);
    expect(about(after.findings, 'Claude Code hooks')).toMatchObject({ status: 'ok', says: 'last event just now' });
  });
});

it('--fix closes what others could read, and the next look finds nothing', async () => {
  const home = homeIn(tempFolder());
  await runningStore(home);
  chmodSync(home.paths.token, 0o644);
  const fixed = await examine(home, '--fix');
  expect(about(fixed.findings, 'permissions')).toMatchObject({ fixed: true, mend: `chmod 600 ${home.paths.token}` });
  expect(statSync(home.paths.token).mode & 0o777).toBe(0o600);
  expect(about((await examine(home)).findings, 'permissions')).toMatchObject({ status: 'ok' });
});

it('every line that is not well ends with the command that mends it', async () => {
  const home = await homeWithAgents('.codex');
  const run = await runLoci(['doctor'], { env: home.env });
  expect(run.code).toBe(1);
  const lines = run.stdout
    .trim()
    .split('\n')
    .filter((line) => line.startsWith(' !'));
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(line).toMatch(/ → \S.+$/);
});
