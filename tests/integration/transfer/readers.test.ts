// What other programs leave, read into a store: found out by itself, whole, marked as imported, and not twice.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { internalContext } from '#daemon/kernel/context.ts';
import type { ImportStatus } from '#shared/contract/transfer.ts';
import { claudeMemDatabase, forgetfulDatabase, packedFolder } from '../../support/foreign-stores.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { openTestStore, type TestStore } from '../../support/test-store.ts';
import { exportLines, importEnd, importInto, uploadTo } from '../../support/transfer.ts';

type Line = Record<string, unknown> & { kind: string };

/** Imports, looks that a second time changes nothing, and answers what an export tells of it. */
async function importTwice(
  bytes: string | Uint8Array,
  source: string,
): Promise<{ lines: Line[]; status: ImportStatus; test: TestStore }> {
  const test = await openTestStore();
  const status = await importInto(test, bytes);
  expect({
    state: status.state,
    error: status.error,
    problems: status.report?.problems,
    source: status.report?.source,
  }).toEqual({
    state: 'done',
    error: null,
    problems: [],
    source,
  });
  const before = await exportLines(test);
  test.clock.advance(60_000);
  const again = await importInto(test, bytes);
  for (const [kind, counts] of Object.entries(again.report?.counts ?? {})) {
    expect({ kind, ...counts }).toMatchObject({ kind, added: 0, updated: 0, skipped: 0 });
  }
  const after = await exportLines(test);
  expect(after.slice(1).sort()).toEqual(before.slice(1).sort());
  return { lines: after.slice(1).map((line) => JSON.parse(line) as Line), status, test };
}

const of = (lines: readonly Line[], kind: string): Line[] => lines.filter((line) => line.kind === kind);

describe('an import from', () => {
  it('Forgetful takes everything: notes, links, documents, code, files, skills, people, plans', async () => {
    const { lines, status } = await importTwice(forgetfulDatabase(), 'forgetful');
    expect(status.report?.counts).toMatchObject({
      project: { added: 1 },
      memory: { added: 2 },
      document: { added: 1 },
      code_artifact: { added: 1 },
      file: { added: 1 },
      skill: { added: 1 },
      entity: { added: 2 },
      relationship: { added: 1 },
      plan: { added: 1 },
      task: { added: 2 },
      dependency: { added: 1 },
      link: { added: 10 },
    });
    const [first, second] = of(lines, 'memory').sort((a, b) => (String(a.title) < String(b.title) ? -1 : 1));
    expect(first).toMatchObject({
      title: 'Events',
      concepts: ['kafka', 'events'],
      files: ['src/bus.ts'],
      importance: 9,
      confidence: 0.8,
      access_count: 4,
      created_at: '2026-01-02T03:04:05.678Z',
      updated_at: '2026-01-03T03:04:05.678Z',
      provenance_class: 'import',
      projects: [of(lines, 'project')[0]?.uid],
    });
    expect(second).toMatchObject({ status: 'obsolete', obsolete_reason: 'replaced', superseded_by: first?.uid });
    expect(of(lines, 'file')[0]).toMatchObject({ filename: 'dot.bin', data: 'AP8Q' });
    expect(of(lines, 'entity').find(({ name }) => name === 'Nightly')).toMatchObject({
      entity_type: 'Other',
      custom_type: 'Pipeline',
    });
    expect(of(lines, 'task').find(({ title }) => title === 'Pack')).toMatchObject({
      state: 'done',
      version: 3,
      criteria: [expect.objectContaining({ description: 'boxes are closed', met: true })],
    });
  });

  it('claude-mem takes observations, summaries and rules, and leaves prompts', async () => {
    const { lines, status } = await importTwice(claudeMemDatabase(), 'claude-mem');
    expect(status.report?.notices).toEqual([expect.stringMatching(/Prompts/)]);
    const memories = of(lines, 'memory');
    expect(memories).toHaveLength(4);
    expect(memories.find(({ title }) => title === 'Row versions')).toMatchObject({
      type: 'decision',
      content: 'The cart uses row versions.\n- locks were slow',
      context: 'instead of locks',
      files: ['b.ts', 'a.ts'],
      session: 's1',
      created_at: '2026-01-02T03:04:05.000Z',
    });
    expect(memories.find(({ title }) => title === 'Make the cart fast')).toMatchObject({
      provenance: 'checkpoint',
      problem: 'Make the cart fast',
      solution: 'Moved to versions',
      content: 'Learned: Locks wait on each other\nNext steps: Measure',
    });
    expect(memories.find(({ type }) => type === 'preference')).toMatchObject({
      content: 'Answer in English',
      projects: [],
    });
    expect(of(lines, 'project').map(({ name }) => name)).toEqual(['shop']);
  });

  it('NaN Forget takes its export, with confidence, tier and how often each was used', async () => {
    const memory = {
      id: '0f0e0d0c-0b0a-4908-8706-050403020100',
      user_id: 'me',
      content: 'We use FastAPI, not Django',
      summary: 'We use FastAPI, not Django',
      type: 'decision',
      status: 'active',
      project: 'api',
      tags: ['stack'],
      source: 'agent',
      created_at: '2026-01-02T03:04:05.000Z',
      updated_at: '2026-01-03T03:04:05.000Z',
      expires_at: null,
      access_count: 7,
      last_accessed: '2026-01-04T03:04:05.000Z',
      embedding_provider: 'ollama',
      embedding_model: 'nomic-embed-text',
      problem: 'slow admin',
      concepts: ['web'],
      confidence: 0.85,
      provenance: 'debate',
      tier: 'core',
    };
    const old = { ...memory, id: 'b', status: 'archived', content: 'We used Flask', consolidated_from: ['x'] };
    const { lines } = await importTwice(JSON.stringify([memory, old], null, 2), 'nan-forget');
    const memories = of(lines, 'memory');
    expect(memories.find(({ status }) => status === 'active')).toMatchObject({
      content: 'We use FastAPI, not Django',
      type: 'decision',
      problem: 'slow admin',
      concepts: ['web'],
      tags: ['stack'],
      confidence: 0.85,
      provenance: 'debate',
      tier: 'core',
      access_count: 7,
      last_accessed_at: '2026-01-04T03:04:05.000Z',
      context: null,
    });
    expect(memories.find(({ status }) => status === 'archived')).toMatchObject({
      metadata: { consolidated_from: ['x'] },
    });
  });

  it('mem0 takes what its API answered, under `results` or as a list', async () => {
    const results = [
      {
        id: 'a1',
        memory: 'Prefers tea',
        hash: 'h',
        user_id: 'alex',
        categories: ['food'],
        metadata: { mood: 'calm' },
        created_at: '2026-01-02T03:04:05-08:00',
      },
      { id: 'a2', memory: 'Lives in Oslo', user_id: 'alex', agent_id: 'bot', run_id: 'r9', created_at: null },
    ];
    const { lines } = await importTwice(JSON.stringify({ results, relations: [] }), 'mem0');
    expect(of(lines, 'memory').find(({ content }) => content === 'Prefers tea')).toMatchObject({
      tags: ['food'],
      metadata: { mood: 'calm', user_id: 'alex' },
      created_at: '2026-01-02T11:04:05.000Z',
    });
    expect(of(lines, 'memory').find(({ content }) => content === 'Lives in Oslo')).toMatchObject({
      agent: 'bot',
      session: 'r9',
    });
  });

  it('B26 server-memory takes entities, observations and relations in order; cut and damaged lines are told, and the rest is stored where asked', async () => {
    const good = [
      { type: 'relation', from: 'Ada', to: 'Gateway', relationType: 'maintains' },
      { type: 'entity', name: 'Ada', entityType: 'person', observations: ['likes Rust', 'works on Fridays'] },
      { type: 'entity', name: 'Gateway', entityType: 'service', observations: ['restarts at four'] },
      { type: 'entity', name: 'Saga', entityType: 'ritual', observations: [] },
    ].map((line) => JSON.stringify(line));
    const { lines } = await importTwice(good.join('\n'), 'server-memory');
    expect(
      of(lines, 'memory')
        .map(({ title, content }) => `${title}: ${content}`)
        .sort(),
    ).toEqual(['Ada: likes Rust', 'Ada: works on Fridays', 'Gateway: restarts at four']);
    expect(of(lines, 'entity').map(({ entity_type, custom_type }) => [entity_type, custom_type])).toEqual(
      expect.arrayContaining([
        ['Individual', null],
        ['System', null],
        ['Other', 'ritual'],
      ]),
    );
    expect(of(lines, 'relationship')).toHaveLength(1);
    expect(of(lines, 'link')).toHaveLength(3);

    const damaged = [
      good[1],
      good[2],
      '{"type":"entity","name":"cut in the mid',
      good[0],
      `${'\0'.repeat(40)}{"type"`,
      good[3],
    ].join('\n');
    const test = await openTestStore();
    const refused = await importInto(test, damaged);
    expect(refused).toMatchObject({ state: 'refused', report: { problem_count: 2 } });
    expect(refused.report?.problems.map(({ line }) => line)).toEqual([3, 5]);
    const skipping = await importInto(test, damaged, { skip_invalid: true });
    expect(skipping).toMatchObject({
      state: 'done',
      report: { problem_count: 2, counts: { entity: { added: 3 }, memory: { added: 3 } } },
    });
    const again = await importInto(test, damaged, { skip_invalid: true });
    expect(again.report?.counts).toMatchObject({ entity: { added: 0 }, memory: { added: 0 }, link: { added: 0 } });
  });

  it("B32 Claude Code's folder takes each file's head and body, with a byte order mark and CRLF too", async () => {
    const file =
      '\uFEFF---\r\nname: Deploys\r\ndescription: Use for releases: tail, grep\r\nmetadata:\r\n  type: project\r\n---\r\n\r\n# Body\r\nTuesdays.\r\n';
    const files = {
      'MEMORY.md': '- [Deploys](deploys.md)',
      'deploys.md': file,
      'user.md': '---\nname: Tone\ndescription: d\ntype: user\n---\nBe brief.',
    };
    const { lines, status } = await importTwice(packedFolder(files, 'shop/memory'), 'claude-code');
    expect(status.report?.notices).toEqual([expect.stringMatching(/MEMORY\.md/)]);
    expect(of(lines, 'memory').find(({ title }) => title === 'Deploys')).toMatchObject({
      type: 'context',
      context: 'Use for releases: tail, grep',
      content: '# Body\nTuesdays.',
      provenance_class: 'import',
    });
    expect(of(lines, 'memory').find(({ title }) => title === 'Tone')).toMatchObject({
      type: 'preference',
      content: 'Be brief.',
    });
  });

  it('basic-memory and Obsidian take notes with tags, other names, dates and the links between them', async () => {
    const files = {
      'people/ada.md':
        '---\ntitle: Ada L\ntags: [person, "#lead"]\naliases: Countess\ncreated: 2025-05-06\n---\nOwns the [[Gateway#Ports|gateway]]. #ops/net',
      'gateway.md': 'Run by [[Countess]] and [[people/ada]]. `#not-a-tag` [[nowhere]] ![[picture.png]]',
      'empty.md': '---\ntitle: Nothing\n---\n',
      'to-empty.md': 'see [[Nothing]]',
    };
    const { lines } = await importTwice(packedFolder(files), 'obsidian');
    const [ada, gateway] = ['Ada L', 'gateway'].map((title) =>
      of(lines, 'memory').find((line) => line.title === title),
    );
    expect(ada).toMatchObject({
      tags: ['person', 'lead', 'ops/net'],
      concepts: ['Countess'],
      created_at: '2025-05-06T00:00:00.000Z',
    });
    expect(gateway).toMatchObject({ tags: [] });
    expect(
      of(lines, 'link').map(({ from, to }) => [from, to].map((end) => (end as { uid: unknown }).uid).sort()),
    ).toEqual([[ada?.uid, gateway?.uid].sort()]);
    const basic = {
      'note.md':
        '---\ntitle: N\ntype: note\npermalink: a/n\n---\n- [decision] use SQLite #db (fast)\n- relates_to [[Other]]',
    };
    const { lines: notes } = await importTwice(packedFolder(basic), 'basic-memory');
    expect(of(notes, 'memory')[0]).toMatchObject({ tags: ['db'], metadata: { permalink: 'a/n' }, type: 'context' });
  });
});

describe('what is imported', () => {
  it('B72 loses secrets and private spans; a note that is too long for a memory becomes a document', async () => {
    const token = `gh${'p_'}${'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z5A'}`;
    const files = {
      'keys.md': `export API_KEY=${token}\nthe words around it stay <private>not this</private>`,
      'long.md': `# Long\n${'many words '.repeat(3_000)}`,
    };
    const test = await openTestStore();
    const { report } = await importInto(test, packedFolder(files));
    expect(report?.redactions).toBe(1);
    expect(report?.notices).toEqual([expect.stringMatching(/documents/)]);
    const out = (await exportLines(test)).join('\n');
    expect(out).not.toContain(token);
    expect(out).not.toContain('not this');
    expect(out).toContain('the words around it stay');
    expect(out).toContain('"kind":"document"');
  });

  it('B72 is refused for its secrets where the settings say so', async () => {
    const token = `gh${'p_'}${'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z5A'}`;
    const test = await openTestStore({ env: { LOCI_SECRETS_MODE: 'refuse' } });
    const refused = await importInto(test, packedFolder({ 'keys.md': `the key is ${token}`, 'plain.md': 'nothing' }));
    expect(refused).toMatchObject({ state: 'refused', report: { problem_count: 1 } });
    expect(JSON.stringify(refused)).not.toContain(token);
  });

  it('holds what a database that is in use has only in its write-ahead log', async () => {
    const test = await openTestStore();
    const path = join(tempFolder(), 'in-use.db');
    const db = new Sqlite(path);
    db.pragma('journal_mode = WAL');
    db.exec('CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY)');
    db.exec(
      'CREATE TABLE observations (id INTEGER PRIMARY KEY, title TEXT, narrative TEXT, type TEXT, created_at_epoch INTEGER)',
    );
    db.pragma('wal_checkpoint(TRUNCATE)');
    db.exec("INSERT INTO observations VALUES (1, 'Late', 'written a moment ago', 'change', 1767323045000)");
    const importId = await uploadTo(test, readFileSync(path));
    const wal = { importId, file: 'wal', offset: 0, bytes: readFileSync(`${path}-wal`) } as const;
    await test.store.receiveImport(wal, internalContext);
    db.close();
    await test.call('run_import', { import_id: importId });
    expect(await importEnd(test, importId)).toMatchObject({
      state: 'done',
      report: { counts: { memory: { added: 1 } } },
    });
    expect(readdirSync(join(test.home, 'state', 'imports'))).toEqual([]);
  });

  it('is found by a search and not put before a model by itself, as what an agent saved is', async () => {
    const test = await openTestStore();
    const text = 'the flux capacitor needs 1.21 gigawatts';
    await importInto(test, packedFolder({ 'a.md': text }));
    const found = await test.call<{ results: unknown[] }>('memory_search', { query: 'flux capacitor' });
    expect(found.results).toHaveLength(1);
    const recall = () => test.call<{ memories: { id: number }[] }>('memory_recall', { prompt: text });
    expect((await recall()).memories).toEqual([]);
    await test.call('memory_save', { content: text, on_duplicate: 'keep' });
    expect((await recall()).memories.map(({ id }) => id)).toEqual([2]);
  });

  it('belongs to who imported it: another user who imports the same file has a copy, and an export holds only their own', async () => {
    const test = await openTestStore();
    await test.call('memory_save', { content: 'the first user speaks', project: 'shared name' });
    const mine = await exportLines(test);
    const { id: userId } = await test.call<{ id: number }>('create_user', { name: 'second' });
    const other = { userId, scopes: ['read', 'write'] };
    expect((await exportLines(test, {}, other)).length).toBe(1);
    const copied = await importInto(test, mine.join('\n'), {}, other);
    expect(copied).toMatchObject({
      state: 'done',
      report: { counts: { memory: { added: 1 }, project: { added: 1 } } },
    });
    const theirs = await exportLines(test, {}, other);
    expect(theirs).toHaveLength(mine.length);
    expect(JSON.parse(theirs[2] ?? '').uid).not.toBe(JSON.parse(mine[2] ?? '').uid);
    const again = await importInto(test, mine.join('\n'), {}, other);
    expect(again.report?.counts).toMatchObject({
      memory: { added: 0, unchanged: 1 },
      project: { added: 0, unchanged: 1 },
    });
    expect((await exportLines(test)).slice(1)).toEqual(mine.slice(1));
    const begun = await test.call<ImportStatus>('start_import');
    await expect(test.call('get_import', { import_id: begun.import_id }, other)).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(exportLines(test, {}, { ...other, scopes: ['read:memories'] })).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(importInto(test, 'x', {}, { ...other, scopes: ['read'] })).rejects.toMatchObject({
      code: 'forbidden',
    });
  });
});
