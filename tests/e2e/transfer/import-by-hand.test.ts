// `loci import` and `loci export` as people use them: broken off by Ctrl-C, of one note, of nothing, of the notes of an agent.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Home, homeIn } from '../../support/daemon-process.ts';
import { queryHome } from '../../support/open-store-file.ts';
import { connectTo } from '../../support/real-daemon.ts';
import { runLoci } from '../../support/run-program.ts';
import { sendSignal } from '../../support/send-signal.ts';
import { root } from '../../support/source-tree.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** Runs `loci`, sends SIGINT once `isTime`, and answers how it ended. */
async function interrupted({ env }: Home, args: readonly string[], isTime: () => boolean) {
  const child = spawn(process.execPath, [join(root, 'dist/loci.cjs'), ...args], { env, cwd: '/' });
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  await expect.poll(() => tried(isTime), { timeout: 60_000, interval: 5 }).toBe(true);
  sendSignal(child.pid, 'SIGINT');
  return { code: await ended, stderr };
}

function tried(isTime: () => boolean): boolean {
  try {
    return isTime();
  } catch {
    return false;
  }
}

const count = ({ folder }: Home, table: string, where = 'true'): number =>
  queryHome<{ n: number }>(folder, `SELECT count(*) AS n FROM ${table} WHERE ${where}`)[0]?.n ?? -1;

function manyMemories(folder: string, number: number): string {
  const file = join(folder, 'many.json');
  const memories = Array.from({ length: number }, (_, index) => ({
    id: randomUUID(),
    content: `statement number ${index}`,
    tier: 'regular',
  }));
  writeFileSync(file, JSON.stringify(memories));
  return file;
}

describe('loci import, broken off by Ctrl-C', () => {
  it('while it is read, has stored nothing and says so', async () => {
    const home = homeIn(tempFolder());
    await connectTo(home).call('memory_sync', {});
    const file = manyMemories(home.folder, 40_000);
    const run = await interrupted(home, ['import', file], () => count(home, 'imports', "state = 'reading'") === 1);
    expect(run).toEqual({ code: 130, stderr: 'Nothing was imported.\n' });
    expect([count(home, 'imports'), count(home, 'memories')]).toEqual([0, 0]);
    expect(readdirSync(join(home.folder, 'state', 'imports'))).toEqual([]);
  }, 120_000);

  it('while it is stored, says that the daemon goes on, and the same import again finds it all', async () => {
    const home = homeIn(tempFolder());
    await connectTo(home).call('memory_sync', {});
    const file = manyMemories(home.folder, 3_000);
    const run = await interrupted(home, ['import', file], () => count(home, 'memories') > 0);
    expect(run).toEqual({ code: 130, stderr: expect.stringMatching(/^It is being stored, and the daemon goes on/) });
    const again = await runLoci(['import', file], { env: home.env, cwd: '/' });
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('Unchanged: 3000 memories.') });
    expect(count(home, 'memories')).toBe(3_000);
  }, 120_000);
});

describe('loci export, broken off by Ctrl-C', () => {
  it('leaves no half of a file', async () => {
    const home = homeIn(tempFolder());
    const file = join(home.folder, 'out.jsonl');
    await runLoci(['import', manyMemories(home.folder, 6_000), '--quiet'], { env: home.env, cwd: '/' });
    const run = await interrupted(home, ['export', file], () => existsSync(`${file}.part`));
    expect(run.code).toBe(130);
    expect([existsSync(file), existsSync(`${file}.part`)]).toEqual([false, false]);
  }, 120_000);
});

it('notes of Claude Code go to the project in which the transcripts beside them were written', async () => {
  const home = homeIn(tempFolder());
  const folder = tempFolder();
  const [work, slug] = [join(folder, 'my-shop'), join(folder, 'projects', '-some-path-my-shop')];
  mkdirSync(join(slug, 'memory'), { recursive: true });
  mkdirSync(work);
  writeFileSync(join(work, '.loci.toml'), 'project = "storefront"');
  writeFileSync(join(slug, 'session.jsonl'), `{"type":"user","cwd":${JSON.stringify(work)}}\n`);
  writeFileSync(join(slug, 'memory', 'MEMORY.md'), '- [Tests](tests.md)');
  writeFileSync(join(slug, 'memory', 'tests.md'), '---\nname: tests\ndescription: d\ntype: feedback\n---\nNever mock.');
  const other = join(folder, 'projects', '-gone', 'memory');
  mkdirSync(other, { recursive: true });
  writeFileSync(join(other, 'other.md'), '---\nname: other\ndescription: d\ntype: user\n---\nBrief.');
  const run = await runLoci(['import', join(folder, 'projects')], { env: home.env, cwd: '/' });
  expect(run).toMatchObject({ code: 0, stdout: 'Imported 1 project, 2 memories from claude-code.\n' });
  const sql = 'SELECT m.title, p.name FROM memories m LEFT JOIN projects p ON p.id = m.primary_project_id ORDER BY 1';
  expect(queryHome(home.folder, sql)).toEqual([
    { title: 'other', name: null },
    { title: 'tests', name: 'storefront' },
  ]);
}, 60_000);

it('an export that was compressed is unpacked, and a damaged one is refused in one sentence', async () => {
  const home = homeIn(tempFolder());
  const loci = (...args: string[]) => runLoci(args, { env: home.env, cwd: '/' });
  await loci('add', 'the gateway restarts at four');
  const { stdout } = await loci('export', '-', '--quiet');
  const file = join(home.folder, 'all.jsonl.gz');
  const packed = gzipSync(stdout);
  writeFileSync(file, packed);
  expect(await loci('import', file)).toMatchObject({ code: 0, stdout: expect.stringContaining('Unchanged: 1 memory') });
  writeFileSync(file, packed.subarray(0, packed.length - 20));
  const damaged = { code: 2, stdout: '', stderr: `error: ${file} is compressed, and cut short or damaged.\n` };
  expect(await loci('import', file)).toEqual(damaged);
  expect(count(home, 'imports', "state <> 'done'")).toBe(0);
}, 60_000);

it('an empty file is told as such, and a Markdown file alone is a folder of one', async () => {
  const home = homeIn(tempFolder());
  const notes = join(home.folder, 'notes');
  mkdirSync(notes);
  writeFileSync(join(notes, 'one.md'), 'The gateway restarts at four.');
  writeFileSync(join(home.folder, 'empty.json'), '');
  const loci = (...args: string[]) => runLoci(args, { env: home.env, cwd: '/' });
  const empty = { code: 2, stdout: '', stderr: 'error: The file is empty: there is nothing to import.\n' };
  expect(await loci('import', join(home.folder, 'empty.json'))).toEqual(empty);
  expect(await loci('import', '-')).toEqual(empty);
  expect(await loci('import', join(notes, 'one.md'))).toMatchObject({
    code: 0,
    stdout: 'Imported 1 memory from obsidian.\n',
  });
  // the same note as in its folder
  expect(await loci('import', notes)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Unchanged: 1 memory'),
  });
}, 60_000);
