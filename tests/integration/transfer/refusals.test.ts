// A file with something wrong in it stores nothing, and says what and where; asked to, it stores the rest.
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openTestStore } from '../../support/test-store.ts';
import { exportLines, importEnd, importInto, uploadTo } from '../../support/transfer.ts';

const at = '2026-01-05T08:00:00.000Z';

function memory(content: string, more: object = {}): Record<string, unknown> {
  return { kind: 'memory', uid: randomUUID(), content, occurred_at: at, created_at: at, updated_at: at, ...more };
}

/** A file as an export is, with the counts that it really has. */
function fileOf(records: readonly object[], counts?: object): string {
  const kinds = records.map((record) => (record as { kind: string }).kind);
  const counted = Object.fromEntries(kinds.map((kind) => [kind, kinds.filter((other) => other === kind).length]));
  const head = { kind: 'loci_export', format: 1, loci_version: '0.1.0', exported_at: at, counts: counts ?? counted };
  return [head, ...records].map((record) => JSON.stringify(record)).join('\n');
}

async function activeMemories(test: Awaited<ReturnType<typeof openTestStore>>): Promise<number> {
  const { memories } = await test.call<{ memories: { active: number } }>('memory_stats');
  return memories.active;
}

const many = (count: number) => Array.from({ length: count }, (_, index) => memory(`statement number ${index}`));

describe('a file with a bad record', () => {
  it('that would take the name of another skill, or the reference of another plan, is refused before anything is stored', async () => {
    const one = await openTestStore();
    const two = await openTestStore({ clock: one.clock });
    await one.call('create_skill', { name: 'reader', description: 'd', content: 'c' });
    await one.call('create_project', { name: 'shop' });
    await one.call('create_plan', { title: 'p', project_id: 1, external_ref: 'issue-1' });
    await importInto(two, (await exportLines(one)).join('\n'));
    one.clock.advance(1_000);
    await one.call('update_skill', { skill_id: 1, name: 'log-reader' });
    await one.call('update_plan', { plan_id: 1, external_ref: 'issue-2' });
    await two.call('create_skill', { name: 'log-reader', description: 'another', content: 'c' });
    await two.call('create_plan', { title: 'q', project_id: 1, external_ref: 'issue-2' });
    const before = await exportLines(two);
    const renamed = (await exportLines(one)).join('\n');
    const refused = await importInto(two, renamed);
    expect(refused).toMatchObject({ state: 'refused', error: null });
    expect(refused.report?.problems.map(({ kind, problem }) => [kind, problem])).toEqual([
      ['skill', "has the name 'log-reader', which another skill has: change one of the two and import again"],
      ['plan', "has the external_ref 'issue-2', which another plan has: change one of the two and import again"],
    ]);
    expect((await exportLines(two)).slice(1)).toEqual(before.slice(1));
    expect(await importInto(two, renamed, { skip_invalid: true })).toMatchObject({ state: 'done' });
    // the exports of two machines in one file: neither knows that the other has it
    const both = await importInto(await openTestStore(), [renamed, ...(await exportLines(two))].join('\n'));
    expect(both.state).toBe('refused');
    await two.call('update_skill', { skill_id: 2, name: 'other-reader' });
    await two.call('update_plan', { plan_id: 2, external_ref: 'issue-3' });
    expect((await importInto(two, renamed)).report?.problems).toEqual([]);
    expect(await two.call('get_skill', { skill_id: 1 })).toMatchObject({ name: 'log-reader' });
  });

  it('B30 stores nothing and names the record with its line; --skip-invalid stores the rest', async () => {
    const records = many(500);
    records[399] = memory('far too important', { importance: 99 });
    const test = await openTestStore();
    const refused = await importInto(test, fileOf(records));
    expect(refused.state).toBe('refused');
    expect(refused.report?.problems).toEqual([
      { line: 401, kind: 'memory', uid: records[399]?.uid, problem: expect.stringMatching(/`importance`.*10/) },
    ]);
    expect(await activeMemories(test)).toBe(0);
    expect((await exportLines(test)).length).toBe(1);
    const skipping = await importInto(test, fileOf(records), { skip_invalid: true });
    expect(skipping).toMatchObject({
      state: 'done',
      report: { problem_count: 1, counts: { memory: { added: 499, updated: 0, unchanged: 0, skipped: 0 } } },
    });
    expect(await activeMemories(test)).toBe(499);
  });

  it('B30 a link to a memory that is nowhere is named, and left out where asked', async () => {
    const records: object[] = many(3);
    const nowhere = randomUUID();
    const ends = {
      from: { kind: 'memory', uid: (records[0] as { uid: string }).uid },
      to: { kind: 'memory', uid: nowhere },
    };
    records.push({ kind: 'link', ...ends, origin: 'manual', created_at: at });
    const test = await openTestStore();
    const refused = await importInto(test, fileOf(records));
    expect(refused).toMatchObject({ state: 'refused', report: { problem_count: 1 } });
    expect(refused.report?.problems[0]).toMatchObject({
      line: 5,
      kind: 'link',
      problem: expect.stringContaining(nowhere),
    });
    expect(await activeMemories(test)).toBe(0);
    expect(await importInto(test, fileOf(records), { skip_invalid: true })).toMatchObject({ state: 'done' });
    expect(await activeMemories(test)).toBe(3);
  });

  it('B64 tasks that wait for themselves, for each other, for another plan or for nothing are named with their way round', async () => {
    const stamps = { created_at: at, updated_at: at };
    const project = { kind: 'project', uid: randomUUID(), name: 'plans', ...stamps };
    const [one, two] = ['one', 'two'].map((title) => ({
      kind: 'plan',
      uid: randomUUID(),
      title,
      project: project.uid,
      ...stamps,
    }));
    const task = (title: string, plan = one) => ({
      kind: 'task',
      uid: randomUUID(),
      title,
      plan: plan?.uid,
      ...stamps,
    });
    const [a, b, c, other] = [task('A'), task('B'), task('C'), task('D', two)];
    const waits = (from: object, to: object | { uid: string }) => ({
      kind: 'dependency',
      task: (from as { uid: string }).uid,
      depends_on: (to as { uid: string }).uid,
      created_at: at,
    });
    const bad = [waits(a, a), waits(c, a), waits(a, other), waits(a, { uid: randomUUID() })];
    const records = [project, one, two, a, b, c, other, waits(a, b), waits(b, c), ...bad].map(
      (record) => record as object,
    );
    const test = await openTestStore();
    const refused = await importInto(test, fileOf(records));
    const problems = refused.report?.problems.map(({ problem }) => problem) ?? [];
    expect(problems).toHaveLength(4);
    expect(problems).toEqual(
      expect.arrayContaining([
        expect.stringContaining(`waits for itself (path: ${a.uid} -> ${a.uid})`),
        expect.stringContaining(`closes a circle: ${c.uid} -> ${a.uid} -> ${b.uid} -> ${c.uid}`),
        expect.stringContaining('are of two plans'),
        expect.stringContaining('neither in the file nor in the store'),
      ]),
    );
    const skipping = await importInto(test, fileOf(records), { skip_invalid: true });
    expect(skipping.report?.counts.dependency).toEqual({ added: 2, updated: 0, unchanged: 0, skipped: 0 });
    const ready = await test.call<{ tasks: { title: string }[] }>('query_tasks', { plan_id: 1, state: 'todo' });
    expect(ready.tasks.map(({ title }) => title).sort()).toEqual(['A', 'B', 'C']);
  });

  it('B15 an integer id in a record is refused by name, and no row is touched', async () => {
    const test = await openTestStore();
    const bad = fileOf([memory('unsafe', { id: 9007199254740992 })]).replace('9007199254740992', '9007199254740993');
    const refused = await importInto(test, bad);
    expect(refused).toMatchObject({ state: 'refused' });
    expect(refused.report?.problems[0]?.problem).toMatch(/unknown field `id`/);
    expect(await activeMemories(test)).toBe(0);
  });

  it('a file that was cut short, is of a later format, has no head, or is no text is refused in words', async () => {
    const test = await openTestStore();
    const whole = fileOf(many(4));
    const says = async (bytes: string | Uint8Array) => {
      const { state, report, error } = await importInto(test, bytes, { from: 'loci' });
      return [state, ...(report?.problems.map(({ problem }) => problem) ?? []), error].join(' ');
    };
    expect(await says(whole.split('\n').slice(0, 3).join('\n'))).toMatch(/refused.*cut short: it holds 2 of 4 memory/);
    expect(await says(whole.slice(0, -20))).toMatch(/no whole JSON object.*|cut short/);
    expect(await says(whole.replace('"format":1', '"format":7'))).toMatch(/refused.*update Loci/);
    expect(await says(whole.split('\n').slice(1).join('\n'))).toMatch(/refused.*head line is missing/);
    expect(await says(new Uint8Array([0xff, 0xfe, 0x00, 0x01, 0x0a]))).toMatch(/refused.*UTF-8/);
    expect(await activeMemories(test)).toBe(0);
    expect(await importInto(test, 'what is this?')).toMatchObject({
      state: 'failed',
      error: expect.stringMatching(/from/),
    });
  });

  it('the same thing twice, an unknown kind and an unknown field are each named', async () => {
    const test = await openTestStore();
    const one = memory('said once');
    const file = fileOf([one, one, { kind: 'dream', uid: randomUUID() }, memory('x', { contents: 'typo' })]);
    const { report } = await importInto(test, file.replace('"dream":1', '"memory":3'));
    expect(report?.problems.map(({ line, problem }) => `${line} ${problem}`)).toEqual([
      expect.stringMatching(/^3 is in the file twice, first on line 2/),
      expect.stringMatching(/^4 is of no kind/),
      expect.stringMatching(/^5 unknown field `contents`; did you mean `content`/),
    ]);
  });
});

describe('texts of a file', () => {
  it('B11 lose their NULs, which are counted, and the words around them are found', async () => {
    const test = await openTestStore();
    const text = `before\u0000after ${'harmless words '.repeat(120)}`;
    const status = await importInto(test, fileOf([memory(text), memory('and another one')]));
    expect(status).toMatchObject({ state: 'done', report: { nul_stripped: 1 } });
    const found = await test.call<{ results: { id: number }[] }>('memory_search', {
      query: 'beforeafter',
      mode: 'keyword',
    });
    expect(found.results).toHaveLength(1);
    const others = await test.call<{ results: unknown[] }>('memory_search', { query: 'another', mode: 'keyword' });
    expect(others.results).toHaveLength(1);
    const lines = await exportLines(test);
    const again = await openTestStore();
    expect(await importInto(again, lines.join('\n'))).toMatchObject({ state: 'done', report: { nul_stripped: 0 } });
  });

  it('B12 are well-formed Unicode afterwards, and so is every line of an export', async () => {
    const test = await openTestStore();
    const long = `${'a'.repeat(1_999)}😀`;
    const broken = JSON.stringify(memory('half')).replace('half', 'half \\ud83d of an emoji');
    const file = fileOf([memory(long), memory('placeholder')]).split('\n');
    file[2] = broken;
    expect(await importInto(test, file.join('\n'))).toMatchObject({ state: 'done' });
    const lines = await exportLines(test);
    expect(lines.every((line) => line.isWellFormed() && JSON.stringify(JSON.parse(line)).isWellFormed())).toBe(true);
    expect(lines.some((line) => line.includes(long))).toBe(true);
  });

  it('B72 lose their secrets, which are counted, and keep the words around them', async () => {
    const test = await openTestStore();
    const token = `gh${'p_'}${'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z5A'}`;
    const records = [
      memory(`the deploy uses ${token} every night`, { metadata: { header: `Authorization: Bearer ${token}` } }),
    ];
    const { report } = await importInto(test, fileOf(records));
    expect(report?.redactions).toBeGreaterThanOrEqual(2);
    const out = (await exportLines(test)).join('\n');
    expect(out).not.toContain(token);
    expect(out).toMatch(/the deploy uses \[redacted: [^\]]+\] every night/);
  });

  it('B72 lose them wherever they stand: under any name, however deep, in a file that is no UTF-8', async () => {
    const token = `gh${'p_'}${'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z5A'}`;
    const deep = { data: `it is ${token}`, source: { from: [token], deep: { db_password: `hun${'ter2x'}` } } };
    const bytes = (text: string, encoding: BufferEncoding) => Buffer.from(text, encoding).toString('base64');
    const file = {
      kind: 'file',
      mime_type: 'text/plain',
      description: 'd',
      created_at: at,
      updated_at: at,
    };
    const files = [`\uFEFFKEY=${token}`, `ü KEY=${token}`].map((text, index) => ({
      ...file,
      uid: randomUUID(),
      filename: `keys-${index}.env`,
      data: bytes(text, index === 0 ? 'utf16le' : 'latin1'),
    }));
    const test = await openTestStore();
    const found = await importInto(
      test,
      fileOf([memory('with metadata', { metadata: deep }), memory('from elsewhere', { source: token }), ...files]),
    );
    expect(found.report?.problems ?? []).toEqual([]);
    const out = (await exportLines(test)).join('\n');
    expect(out).not.toContain(token);
    expect(out).not.toContain(`hun${'ter2x'}`);
    for (const line of out.split('\n').map((text) => JSON.parse(text) as { data?: string })) {
      const data = Buffer.from(line.data ?? '', 'base64');
      expect(data.toString('latin1').replaceAll('\0', '')).not.toContain(token);
    }
    expect(found.report?.redactions).toBe(6);
  });

  it('lose what is private, whichever program they come from', async () => {
    const test = await openTestStore();
    const text = 'We ship on <private>not for <private>anybody</private> to know</private>Tuesdays';
    await importInto(test, fileOf([memory(text), memory('other', { metadata: { note: text } })]));
    await importInto(test, JSON.stringify([{ id: 'a', memory: text, created_at: at }]), { from: 'mem0' });
    const out = (await exportLines(test)).join('\n');
    expect(out).toContain('We ship on Tuesdays');
    expect(out).not.toMatch(/not for|anybody|to know/);
  });
});

describe('times of a file', () => {
  it('B24 are kept: a memory of 90 days ago is that old, and neither reads nor jobs make it younger', async () => {
    const test = await openTestStore();
    const old = new Date(test.clock.now() - 90 * 24 * 3_600_000).toISOString();
    const stamps = { created_at: old, updated_at: old, occurred_at: old };
    await importInto(test, fileOf([memory('the printer is on the second floor', stamps)]));
    const read = () => test.call<Record<string, unknown>>('memory_get', { id: 1 });
    expect(await read()).toMatchObject({ created_at: old, updated_at: old, access_count: 0 });
    await test.call('run_job', { name: 'flush_accesses' });
    await test.call('run_job', { name: 'reconcile' });
    const after = await read();
    expect(after).toMatchObject({ created_at: old, updated_at: old, access_count: 1 });
    expect(after.decay).toBeGreaterThan(0.9); // read just now
  });

  it('B20 in the future count as now: nothing is archived, and a future memory does not outrank an equal one', async () => {
    const test = await openTestStore();
    const now = new Date(test.clock.now()).toISOString();
    const later = (days: number) => new Date(test.clock.now() + days * 24 * 3_600_000).toISOString();
    const stamped = (time: string) => ({ created_at: time, updated_at: time, occurred_at: now });
    const texts = [1, 2, 3].map((rack) => `the cable in rack ${rack} is red`);
    const times = [now, later(10), later(3_650)];
    await importInto(test, fileOf(texts.map((text, index) => memory(text, stamped(times[index] ?? now)))));
    await test.call('run_job', { name: 'clean' });
    const { results } = await test.call<{ results: { id: number; score: number; explain: object }[] }>(
      'memory_search',
      {
        query: 'cable red',
        mode: 'keyword',
        explain: true,
      },
    );
    expect(results).toHaveLength(3);
    const [first] = results;
    expect(first?.id).toBe(1);
    for (const { score } of results) expect(score).toBeLessThanOrEqual((first?.score ?? 0) + 1e-9);
  });
});

describe('an import that the last daemon left', () => {
  it('is read anew where it was being read, and says so where nothing is left of it', async () => {
    const first = await openTestStore({ isAlone: true });
    const reading = await uploadTo(first, fileOf(many(3)));
    const lost = await uploadTo(first, fileOf(many(3)));
    await first.close();
    const db = new Sqlite(join(first.home, 'data', 'loci.db'));
    db.prepare("UPDATE imports SET state = 'reading' WHERE uid = ?").run(reading);
    db.prepare("UPDATE imports SET state = 'applying' WHERE uid = ?").run(lost);
    db.close();
    const folder = join(first.home, 'state', 'imports');
    rmSync(join(folder, `${lost}.upload`));
    writeFileSync(join(folder, `${reading}.staged`), 'half of a database');

    const second = await openTestStore({ home: first.home, clock: first.clock, isAlone: true });
    expect(await importEnd(second, lost)).toMatchObject({
      state: 'failed',
      error: expect.stringMatching(/import the file again/),
    });
    expect(await importEnd(second, reading)).toMatchObject({ state: 'interrupted' });
    await second.call('run_import', { import_id: reading });
    expect(await importEnd(second, reading)).toMatchObject({
      state: 'done',
      report: { counts: { memory: { added: 3 } } },
    });
    await expect(second.call('cancel_import', { import_id: reading })).rejects.toMatchObject({ code: 'conflict' });
  });
});
