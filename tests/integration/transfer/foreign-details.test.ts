// What other programs keep beside their texts, and what of it must not come along.
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { ImportStatus } from '#shared/contract/transfer.ts';
import { claudeMemDatabase, forgetfulDatabase, packedFolder } from '../../support/foreign-stores.ts';
import { openTestStore, type TestStore } from '../../support/test-store.ts';
import { exportLines, type ImportOptions, importInto, uploadTo } from '../../support/transfer.ts';

type Line = Record<string, unknown> & { kind: string };

async function imported(bytes: string | Uint8Array, options: ImportOptions = {}) {
  const test = await openTestStore();
  const status = await importInto(test, bytes, options);
  const lines = (await exportLines(test)).slice(1).map((line) => JSON.parse(line) as Line);
  return { test, status, lines };
}

const of = (lines: readonly Line[], kind: string): Line[] => lines.filter((line) => line.kind === kind);

/** A database with some statements more. */
function changed(database: Buffer, ...statements: string[]): Buffer {
  const db = new Sqlite(database);
  for (const statement of statements) db.exec(statement);
  const bytes = db.serialize();
  db.close();
  return bytes;
}

const hidden = '<private>the safe opens at 4711</private>';
const nan = (id: string, fields: object) => ({ id, tier: 'regular', content: 'said openly', ...fields });

describe('what a program keeps in <private>', () => {
  it('comes along in no field, whichever program kept it', async () => {
    const files: (string | Uint8Array)[] = [
      JSON.stringify([nan('a', { problem: `Why? ${hidden}`, tags: ['open', hidden], solution: hidden })]),
      JSON.stringify([{ id: 'a', memory: 'likes tea', user_id: 'u', metadata: { note: `n ${hidden}` } }]),
      JSON.stringify({ type: 'entity', name: 'Ada', entityType: 'person', observations: [`tea ${hidden}`] }),
      packedFolder({ 'a.md': `---\ntitle: T ${hidden}\n---\nopen ${hidden}` }),
      packedFolder({ 'MEMORY.md': '-', 'a.md': `---\nname: n\ndescription: d ${hidden}\ntype: user\n---\nopen` }),
      changed(claudeMemDatabase(), `UPDATE session_summaries SET completed = completed || ' ${hidden}'`),
      changed(
        forgetfulDatabase(),
        `UPDATE memories SET context = 'c ${hidden}', title = title || '${hidden}'`,
        `UPDATE tasks SET description = 'd ${hidden}'`,
        `UPDATE entities SET notes = '${hidden}'`,
      ),
    ];
    for (const file of files) {
      const { status, lines } = await imported(file);
      expect(status).toMatchObject({ state: 'done', report: { problems: [] } });
      expect(lines.length).toBeGreaterThan(0);
      expect(JSON.stringify(lines)).not.toMatch(/4711|<private>/);
    }
  });

  it('is none where it is all of a field, and a text that is nothing else is left out and told, not refused', async () => {
    const { status, lines } = await imported(
      JSON.stringify([nan('a', { solution: hidden, tags: ['open', hidden] }), nan('b', { content: hidden })]),
    );
    expect(of(lines, 'memory')).toEqual([expect.objectContaining({ solution: null, tags: ['open'] })]);
    expect(status.report?.notices).toEqual([expect.stringMatching(/inside <private>/)]);

    const bytes = changed(
      forgetfulDatabase(),
      `UPDATE memories SET content = '${hidden}', title = '${hidden}' WHERE id = 1`,
      'UPDATE memories SET superseded_by = NULL',
      `UPDATE documents SET content = '${hidden}'`,
    );
    const forgetful = await imported(bytes);
    expect(forgetful.status).toMatchObject({ state: 'done', report: { problems: [] } });
    expect(forgetful.status.report?.notices).toEqual([expect.stringMatching(/inside <private>/)]);
    expect(of(forgetful.lines, 'memory').map(({ title }) => title)).toEqual(['Queue']);
    expect(of(forgetful.lines, 'document')).toEqual([]);
    // the ties of what was left out went with it, the others are there
    expect(of(forgetful.lines, 'link').length).toBe(3);
  });

  it('does not take along what refers to it: that is told', async () => {
    const bytes = changed(forgetfulDatabase(), `UPDATE memories SET content = '${hidden}', title = '' WHERE id = 1`);
    const { status } = await imported(bytes);
    expect(status).toMatchObject({ state: 'refused', report: { problem_count: 1 } });
    expect(status.report?.problems[0]).toMatchObject({ kind: 'memory', problem: expect.stringMatching(/refers to/) });
  });

  it('is only a word in backticks', async () => {
    const { lines } = await imported(packedFolder({ 'a.md': 'Write `<private>` around it; the rest stays.' }));
    expect(of(lines, 'memory')[0]?.content).toBe('Write `<private>` around it; the rest stays.');
  });
});

describe('an import from', () => {
  it('Forgetful keeps how far a project was encoded, and names a bad row by its table', async () => {
    const good = changed(
      forgetfulDatabase(),
      'ALTER TABLE projects ADD COLUMN last_encoding_point VARCHAR(255)',
      "UPDATE projects SET last_encoding_point = '4f2a91c'",
    );
    expect(of((await imported(good)).lines, 'project')[0]).toMatchObject({ last_encoding_point: '4f2a91c' });

    const { status } = await imported(changed(forgetfulDatabase(), "UPDATE code_artifacts SET code = ''"));
    expect(status.state).toBe('refused');
    expect(status.report?.problems.map(({ problem }) => problem)).toEqual([
      expect.stringMatching(/^row 1 of code_artifacts: /),
    ]);
  });

  it('mem0 keeps who said it and until when it holds, takes its relations, and loses no text over its metadata', async () => {
    const deep = JSON.parse(`${'{"a":'.repeat(12)}1${'}'.repeat(12)}`);
    const results = [
      { id: 'a', memory: 'Travels', user_id: 'alex', actor_id: 'Alex', expiration_date: '2027-04-01' },
      { id: 'b', memory: 'Deep', user_id: 'alex', metadata: deep },
      { id: 'c', memory: 'Odd', user_id: 'alex', metadata: JSON.parse('{"__proto__": {"x": 1}, "mood": "calm"}') },
    ];
    const relations = [
      { source: 'alex', relationship: 'plays', target: 'cricket' },
      { source: 'alex', relationship: 'knows', destination: 'sam' },
      { source: 'alex', relationship: 'is', target: 'alex' },
    ];
    const { lines, status, test } = await imported(JSON.stringify({ results, relations }, null, 1));
    expect(status.report?.problems).toEqual([]);
    const by = (content: string) => of(lines, 'memory').find((line) => line.content === content);
    expect(by('Travels')).toMatchObject({ author: 'Alex', expires_at: '2027-04-01T23:59:59.999Z' });
    expect(by('Deep')).toMatchObject({ metadata: { user_id: 'alex' } });
    expect(by('Odd')).toMatchObject({ metadata: { user_id: 'alex', mood: 'calm' } });
    expect(of(lines, 'entity').map(({ name }) => name)).toEqual(['alex', 'cricket', 'sam']);
    expect(of(lines, 'relationship').map((line) => line.relationship_type)).toEqual(['plays', 'knows']);
    const again = await importInto(test, JSON.stringify({ results, relations }));
    for (const counts of Object.values(again.report?.counts ?? {}))
      expect(counts).toMatchObject({ added: 0, updated: 0 });
  });

  it('notes links them by Markdown links too, seen from the folder of each, and not by what stands in code', async () => {
    const files = {
      'daily/monday.md': [
        'See [the guide](../runbooks/Deploy%20Guide.md#steps "how"), [ada](/people/ada.md) and [spaces](<../with (two) words.md>).',
        '[out](../../etc/passwd.md) [web](https://example.com/tuesday.md) [[lead|our lead]]',
        '```\n[[Tuesday]]\n``` and `[t](tuesday.md)`',
      ].join('\n'),
      'daily/tuesday.md': '---\ntitle: Tuesday\n---\nnothing here',
      'people/ada.md': '---\nalias: lead\n---\nAda',
      'runbooks/Deploy Guide.md': 'Step one. ![picture](../people/ada.md)',
      'with (two) words.md': 'text',
    };
    const { lines } = await imported(packedFolder(files));
    const titles = new Map(of(lines, 'memory').map(({ uid, title }) => [uid, title]));
    const pairs = of(lines, 'link').map(({ from, to }) =>
      [from, to].map((end) => titles.get((end as { uid: string }).uid)).sort(),
    );
    expect(pairs.sort()).toEqual([
      ['Deploy Guide', 'monday'],
      ['ada', 'monday'],
      ['monday', 'with (two) words'],
    ]);
  });

  it('Claude Code keeps the session of a note, its own kind, and the links between notes of one folder', async () => {
    const note = (name: string, body: string) =>
      `---\nname: ${name}\ndescription: d\nmetadata:\n  type: feedback\n  originSessionId: s-1\n---\n${body}`;
    const files = {
      '-home-a/memory/MEMORY.md': '- x',
      '-home-a/memory/tests.md': note('real-database', 'Never mock. See [[user-role]] and [rules](rules.md).'),
      '-home-a/memory/rules.md': note('rules', 'Rules.'),
      '-home-b/memory/user.md': note('user-role', 'Of another project.'),
    };
    const { lines } = await imported(packedFolder(files, '.claude/projects'));
    expect(of(lines, 'memory').find(({ title }) => title === 'real-database')).toMatchObject({
      session: 's-1',
      type: 'fact',
      metadata: { type: 'feedback' },
    });
    expect(of(lines, 'link')).toHaveLength(1);
    const there = await imported(packedFolder(files, '.claude/projects'), { project: 'all of it' });
    expect(there.status).toMatchObject({ state: 'done', report: { problems: [] } });
    expect(of(there.lines, 'memory').every(({ projects }) => (projects as string[]).length === 1)).toBe(true);
  });

  it('what the words say it is not, is refused in one sentence', async () => {
    const database = await imported(forgetfulDatabase(), { from: 'claude-mem' });
    expect(database.status).toMatchObject({ state: 'failed', error: expect.stringMatching(/none of claude-mem/) });
    const list = await imported('[\n{"id": "a"},\n{"id": "b"}\n]', { from: 'obsidian' });
    expect(list.status.report?.problems.map(({ problem }) => problem)).toEqual([expect.stringMatching(/no folder/)]);
  });
});

describe('an import that is given up', () => {
  const many = (count: number) =>
    JSON.stringify(Array.from({ length: count }, (_, index) => nan(`n${index}`, { content: `statement ${index}` })));

  const begin = async (test: TestStore, bytes: string) => {
    const import_id = await uploadTo(test, bytes);
    await test.call<ImportStatus>('run_import', { import_id });
    return import_id;
  };

  it('while it is read, stores nothing and leaves nothing behind; one that waits for another too', async () => {
    const test = await openTestStore();
    const [first, second] = [await begin(test, many(20_000)), await begin(test, many(10))];
    expect(await test.call('cancel_import', { import_id: second })).toMatchObject({ success: true });
    expect(await test.call('cancel_import', { import_id: first })).toMatchObject({ success: true });
    for (const import_id of [first, second]) {
      await expect(test.call('get_import', { import_id })).rejects.toMatchObject({ code: 'not_found' });
    }
    expect(await importInto(test, many(3))).toMatchObject({
      state: 'done',
      report: { counts: { memory: { added: 3 } } },
    });
    expect(
      of(
        (await exportLines(test)).slice(1).map((line) => JSON.parse(line) as Line),
        'memory',
      ),
    ).toHaveLength(3);
  });
});
