// What a sweep takes of a transcript, and that it takes it once.
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { madeUpContexts, madeUpTokens } from '../../support/made-up-secrets.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { openTestStore, type TestStore } from '../../support/test-store.ts';
import {
  assistant,
  claudeLines,
  claudeToolResult,
  codexLines,
  copilotLines,
  geminiLines,
  session1,
  user,
  writeLines,
  writeOpenCode,
} from '../../support/transcripts.ts';

type Swept = {
  format: string;
  saved: { id: number; outcome: string; type: string; title: string; line: number }[];
  found: { type: string; text: string }[];
  messages: number;
  known: number;
  redactions: number;
  skipped: number;
  skipped_lines: { line: number; why: string }[];
};

const sweep = (store: TestStore, transcript_path: string, more: object = {}) =>
  store.call<Swept>('memory_sweep', { transcript_path, ...more });
const contents = async (store: TestStore): Promise<string[]> => {
  const { memories } = await store.call<{ memories: { content: string }[] }>('get_recent_memories', { limit: 100 });
  return memories.map(({ content }) => content);
};

describe('every format', () => {
  it.each([
    ['claude-code', (file: string) => void writeLines(file, claudeLines(session1))],
    ['codex', (file: string) => void writeLines(file, codexLines(session1))],
    ['gemini-cli', (file: string) => void writeLines(file, geminiLines(session1))],
    ['copilot-cli', (file: string) => void writeLines(file, copilotLines(session1))],
    ['opencode', (file: string) => writeOpenCode(file, session1)],
  ])(
    '%s gives the same decision, preference, fix and fact, and nothing of what tools or programs said',
    async (format, write) => {
      const store = await openTestStore();
      const file = join(tempFolder(), 'transcript.jsonl');
      write(file);
      const swept = await sweep(store, file, { agent: format });
      expect(swept).toMatchObject({ format, messages: 8, skipped: 0 });
      expect(swept.saved.map(({ type }) => type)).toEqual(['decision', 'fact', 'preference', 'fact']);
      const stored = await contents(store);
      expect(stored.sort()).toEqual([
        'From now on we use Vitest instead of Jest for all new packages, because Jest cannot load ESM.',
        'I prefer single quotes and two spaces in TypeScript files.',
        'The root cause of the flaky checkout test is a race between the cart webhook and the payment callback; it was fixed by waiting for the order event.',
        'The staging database runs on port 5433 behind the bastion host `db-gate`.',
      ]);
      const record = await store.call('memory_get', { id: swept.saved[0]?.id });
      expect(record).toMatchObject({
        author: 'user',
        agent: format,
        source: 'conversation',
        provenance: 'save',
        tier: 'regular',
      });
    },
  );

  it('OpenCode’s database keeps its bytes, and a grown session is read on', async () => {
    const store = await openTestStore();
    const file = join(tempFolder(), 'opencode.db');
    writeOpenCode(file, session1.slice(0, 4));
    const before = readFileSync(file);
    expect((await sweep(store, file, { session: 'ses_1' })).saved).toHaveLength(2);
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(existsSync(`${file}-wal`) ? readFileSync(`${file}-wal`).length : 0).toBe(0);
    writeOpenCode(file, session1);
    const again = await sweep(store, file, { session: 'ses_1' });
    expect(again).toMatchObject({ messages: 4, known: 0 });
    expect(again.saved.map(({ type }) => type)).toEqual(['preference', 'fact']);
  });
});

describe('damage', () => {
  it('B26 a damaged line costs that line and is named; what follows it is read; a second sweep adds nothing', async () => {
    const store = await openTestStore();
    const facts = ['lighthouse lamp', 'harbour crane', 'ferry timetable', 'customs office'].map((what) =>
      user(
        `Note that the ${what} is managed in \`ops/${what.replace(' ', '_')}.yaml\` because the port authority asked for it.`,
      ),
    );
    const good = claudeLines(facts);
    const lines = [
      good[0],
      good[1],
      '{"type":"user","message":{"role":"user","cont',
      good[2],
      `${'\0'.repeat(40)}${good[0]}`,
      good[3],
    ] as string[];
    const file = writeLines(join(tempFolder(), 'session.jsonl'), lines, { open: true });
    const swept = await sweep(store, file);
    expect(swept).toMatchObject({
      messages: 4,
      skipped: 2,
      skipped_lines: [
        { line: 3, why: 'is no JSON' },
        { line: 5, why: 'is no JSON' },
      ],
    });
    expect(swept.saved.map(({ line }) => line).sort()).toEqual([1, 2, 4, 6]);
    expect(await sweep(store, file)).toMatchObject({ saved: [], messages: 0, skipped: 0 });
    expect(await contents(store)).toHaveLength(4);
  });

  it('an unfinished last line is read when it is whole', async () => {
    const store = await openTestStore();
    const [first = '', second = ''] = claudeLines([
      user('Note that the ferry timetable lives in `ops/ferry.yaml`.'),
      user('Note that the harbour crane runs on firmware 4.2.'),
    ]);
    const file = writeLines(join(tempFolder(), 'session.jsonl'), [first, second.slice(0, 90)], { open: true });
    expect(await sweep(store, file)).toMatchObject({ messages: 1, skipped: 0 });
    appendFileSync(file, `${second.slice(90)}\n`);
    expect((await sweep(store, file)).saved).toMatchObject([{ line: 2 }]);
  });

  it('a file of no format that is known is refused, and a path that leads to no file of one’s own', async () => {
    const store = await openTestStore();
    const folder = tempFolder();
    const text = writeLines(join(folder, 'notes.txt'), ['just words', 'and more']);
    await expect(sweep(store, text)).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(sweep(store, folder)).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(sweep(store, join(folder, 'gone.jsonl'))).rejects.toMatchObject({ code: 'not_found' });
    await expect(store.call('memory_sweep', { transcript_path: text }, { transport: 'tcp' })).rejects.toMatchObject({
      code: 'forbidden',
    });
  });
});

describe('once', () => {
  it('a transcript that grows is read from where it ended, one that was replaced from its start', async () => {
    const store = await openTestStore();
    const file = join(tempFolder(), 'session.jsonl');
    const lines = claudeLines(session1);
    writeLines(file, lines.slice(0, 4));
    expect((await sweep(store, file)).saved).toHaveLength(2);
    appendFileSync(file, `${lines.slice(4).join('\n')}\n`);
    expect(await sweep(store, file)).toMatchObject({ messages: 4 });
    expect(await contents(store)).toHaveLength(4);
    const other = claudeLines([user('Note that the ferry timetable lives in `ops/ferry.yaml`.'), ...session1]);
    writeLines(`${file}.new`, other);
    renameSync(`${file}.new`, file);
    const replaced = await sweep(store, file);
    expect(replaced).toMatchObject({ messages: 9 });
    expect(replaced.saved).toHaveLength(1);
    expect(await contents(store)).toHaveLength(5);
  });

  it('a copy of a transcript gives nothing again, not even what was erased since', async () => {
    const store = await openTestStore();
    const file = writeLines(join(tempFolder(), 'session.jsonl'), claudeLines(session1));
    const { saved } = await sweep(store, file);
    await store.call('memory_purge', { id: saved[0]?.id });
    const copy = join(tempFolder(), 'resumed.jsonl');
    copyFileSync(file, copy);
    expect(await sweep(store, copy)).toMatchObject({ saved: [] });
    expect(await contents(store)).toHaveLength(3);
  });

  it('what is stored already is not stored in other words; what differs in a number is', async () => {
    const store = await openTestStore();
    await store.call('memory_save', {
      content: 'The staging database runs on port 5433 behind the bastion host `db-gate`.',
    });
    const file = writeLines(
      join(tempFolder(), 'session.jsonl'),
      claudeLines([
        assistant('The staging database runs on port 5433 behind the bastion host `db-gate` now.'),
        assistant('The production database runs on port 6433 behind the bastion host `db-gate`.'),
      ]),
    );
    const swept = await sweep(store, file);
    expect(swept).toMatchObject({ known: 1 });
    expect(swept.saved.map(({ title }) => title)).toEqual([expect.stringContaining('6433')]);
  });

  it('no more than five of one sweep', async () => {
    const store = await openTestStore();
    const names = ['lamp', 'crane', 'ferry', 'customs', 'buoy', 'radar', 'tug', 'pilot'];
    const said = names.map((name) => user(`We decided that the ${name} of the harbour is kept in ops/${name}.yaml.`));
    const file = writeLines(join(tempFolder(), 'session.jsonl'), claudeLines(said));
    expect((await sweep(store, file)).saved).toHaveLength(5);
    expect(await sweep(store, file)).toMatchObject({ saved: [] });
  });

  it('two sweeps of one transcript at once save each statement once', async () => {
    const store = await openTestStore();
    const file = writeLines(join(tempFolder(), 'session.jsonl'), claudeLines(session1));
    await Promise.all([sweep(store, file), sweep(store, file), sweep(store, file)]);
    expect(await contents(store)).toHaveLength(4);
  });

  it('a dry run says what it would save and leaves no trace', async () => {
    const store = await openTestStore();
    const file = writeLines(join(tempFolder(), 'session.jsonl'), claudeLines(session1));
    const dry = await sweep(store, file, { dry_run: true });
    expect(dry.found).toHaveLength(4);
    expect(await contents(store)).toEqual([]);
    expect((await sweep(store, file)).saved).toHaveLength(4);
  });
});

describe('sub-agents', () => {
  it('are read with their session, and what an agent told them is not taken for the user’s word', async () => {
    const store = await openTestStore();
    const folder = tempFolder();
    const file = writeLines(join(folder, 'abc.jsonl'), claudeLines([user('Please look into the invoices.')]));
    const wish = 'I prefer that invoices are rendered with Typst.';
    const fix = 'The root cause of the slow invoices was LaTeX, which took 9 seconds a page; the fix is Typst.';
    writeLines(
      join(folder, 'abc', 'subagents', 'agent-1.jsonl'),
      claudeLines([user(wish), assistant(fix)], { isSidechain: true }),
    );
    writeFileSync(join(folder, 'abc', 'subagents', 'agent-2.jsonl'), 'no transcript at all');
    const swept = await sweep(store, file);
    expect(swept.saved.map(({ title }) => title)).toEqual([fix]);
  });
});

describe('secrets', () => {
  it('B72 none is stored in any place, the words around them are, and the redactions are counted', async () => {
    const store = await openTestStore();
    const [, [, token] = ['', '']] = madeUpTokens();
    const secrets = madeUpTokens()
      .map(([, secret]) => secret)
      .filter((secret) => !secret.includes('\n'));
    const said = [
      ...secrets.map((secret) =>
        user(
          `Note that the deploy job of the harbour uses ${secret} for its uploads, because the port authority asked for it.`,
        ),
      ),
      ...madeUpContexts().map(([text]) =>
        assistant(`Note that the crane service is configured with ${text} in production.`),
      ),
    ];
    const lines = [...claudeLines(said), claudeToolResult(`token ${token} and more`)];
    const file = writeLines(join(tempFolder(), 'session.jsonl'), lines);
    const swept = await sweep(store, file, { limit: 50 });
    expect(swept.redactions).toBeGreaterThanOrEqual(said.length);
    expect(swept.saved.length).toBeGreaterThan(0);
    expect((await contents(store)).join('\n')).toContain('deploy job of the harbour uses [redacted: ');
    await store.close();
    const bytes = readdirSync(join(store.home, 'data')).map((name) => filesBelow(join(store.home, 'data', name)));
    const everything = Buffer.concat(bytes.flat());
    const values = [...secrets, ...madeUpContexts().map(([, secret]) => secret)];
    expect(values.filter((secret) => everything.includes(secret))).toEqual([]);
  });

  it('a statement that holds one is left out where the setting says so', async () => {
    const store = await openTestStore({ env: { LOCI_SECRETS_MODE: 'refuse' } });
    const [, token = ''] = madeUpTokens()[2] ?? [];
    const said = [
      user(`Note that the deploy job uses ${token} for uploads.`),
      user('Note that the ferry lives in ops/ferry.yaml.'),
    ];
    const file = writeLines(join(tempFolder(), 'session.jsonl'), claudeLines(said));
    expect((await sweep(store, file)).saved.map(({ title }) => title)).toEqual([
      'Note that the ferry lives in ops/ferry.yaml.',
    ]);
  });

  it('what stands between private tags is never read, nor what was recalled', async () => {
    const store = await openTestStore();
    const said = [
      user('<private>Note that the vault of the harbour is in ops/vault.yaml.</private>'),
      user(
        '<loci-memory-abcdefabcdef>\n| We decided that the lamp is kept in ops/lamp.yaml.\n</loci-memory-abcdefabcdef>\nok',
      ),
      user('<system-reminder>We decided that reminders are kept in ops/reminder.yaml.</system-reminder>'),
      user(
        '```\nWe decided that code is kept in ops/code.yaml.\n```\n> We decided that quotes live in ops/quote.yaml.',
      ),
    ];
    const file = writeLines(join(tempFolder(), 'session.jsonl'), claudeLines(said));
    expect(await sweep(store, file)).toMatchObject({ saved: [], messages: 4 });
  });
});

function filesBelow(path: string): Buffer[] {
  try {
    return [readFileSync(path)];
  } catch {
    return readdirSync(path).flatMap((name) => filesBelow(join(path, name)));
  }
}

describe('the spool', () => {
  it('is taken in at the next start, each entry once, and what cannot be taken is dropped', async () => {
    const store = await openTestStore();
    const { home } = store;
    await store.close();
    const folder = tempFolder();
    const transcript = writeLines(join(folder, 'session.jsonl'), claudeLines(session1));
    const spool = join(home, 'state', 'spool');
    mkdirSync(spool, { recursive: true });
    const entry = (name: string, value: unknown): void =>
      writeFileSync(join(spool, name), typeof value === 'string' ? value : JSON.stringify(value));
    const whole = { v: 1, kind: 'transcript', agent: 'claude-code', session: 's-9', folder: null };
    entry('transcript-1.json', { ...whole, path: transcript });
    entry('transcript-2.json', { ...whole, path: join(folder, 'gone.jsonl') });
    entry('transcript-3.json.taken', { ...whole, path: transcript });
    entry('broken.json', '{"v":1,');
    const again = await openTestStore({ home, embedder: store.embedder, clock: store.clock });
    expect(await again.call('memory_take_spool', { wait: true })).toMatchObject({ waiting: 0 });
    expect(readdirSync(spool)).toEqual([]);
    expect(await contents(again)).toHaveLength(4);
    expect(await again.call('memory_get', { id: 1 })).toMatchObject({ session: 's-9', agent: 'claude-code' });
  });
});
