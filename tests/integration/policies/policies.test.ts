// An administrator's modules: what they may say, and what they can do to the daemon (nothing).
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../support/source-tree.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { openTestStore, type TestStore } from '../../support/test-store.ts';

type Options = { kind?: 'memory' | 'plan'; mode?: string; timeoutS?: number };

async function storeWith(code: string, { kind = 'memory', mode = 'enforce', timeoutS = 5 }: Options = {}) {
  const file = join(tempFolder(), 'policy.mjs');
  writeFileSync(file, code);
  return openTestStore({
    env: {
      [`LOCI_POLICIES_${kind.toUpperCase()}`]: file,
      LOCI_POLICIES_MODE: mode,
      LOCI_POLICIES_TIMEOUT_S: String(timeoutS),
    },
  });
}

const note = (store: TestStore, fields: object = {}) =>
  store.call('create_memory', { title: 'Cart', content: 'prices are kept in cents', ...fields });

const rejected = (message: RegExp | string, code: string | null = null) => ({
  code: 'rejected_by_policy',
  message: expect.stringMatching(message),
  details: { policy: 'memory', outcome: 'WRITE_PLUGIN_REJECTED', code },
});
const unavailable = {
  code: 'unavailable',
  message: 'WRITE_PLUGIN_UNAVAILABLE: Memory Write Plugin unavailable.',
  details: { policy: 'memory', outcome: 'WRITE_PLUGIN_UNAVAILABLE' },
};
const remarks = (...codes: string[]) => codes.map((code) => expect.objectContaining({ outcome: 'warn', code }));

async function memoriesOf(store: TestStore): Promise<number> {
  return (await store.call<{ total: number }>('get_recent_memories', { include_obsolete: true })).total;
}

describe('the examples of docs/policies.md', () => {
  const page = readFileSync(join(root, 'docs/policies.md'), 'utf8');
  const examples = new Map(
    [...page.matchAll(/^## (.+)\n\n```js\n([\s\S]*?)^```/gm)].map(([, title, code]) => [title, code ?? '']),
  );
  const tried = new Set<string>();
  const example = (title: string): string => {
    tried.add(title);
    return examples.get(title) ?? '';
  };

  it('refuse what is too short', async () => {
    const store = await storeWith(example('Refuse what is too short to be useful'));
    await expect(note(store, { content: 'in cents' })).rejects.toMatchObject(
      rejected(/^WRITE_PLUGIN_REJECTED: Say it in a whole sentence/, 'too_short'),
    );
    expect(await memoriesOf(store)).toBe(0);
    expect(await note(store)).not.toHaveProperty('plugin_warnings');
  });

  it('ask for a tag', async () => {
    const store = await storeWith(example('Ask for a tag, without insisting'));
    expect(await note(store)).toMatchObject({ id: 1, plugin_warnings: remarks('untagged') });
    expect(await note(store, { tags: ['cart'] })).not.toHaveProperty('plugin_warnings');
    expect(await store.call('get_memory', { id: 1 })).not.toHaveProperty('plugin_warnings');
    expect(await store.call('memory_save', { content: 'the shop closes at ten in the evening' })).toMatchObject({
      warnings: ['A tag would help to find this again.'],
    });
    const fact = { action: 'save', category: 'technical', key: 'ci_host', value: 'build-3' };
    expect(await store.call('memory', fact)).toMatchObject({ plugin_warnings: remarks('untagged') });
  });

  it('keep some memories from being retired', async () => {
    const store = await storeWith(example('Keep some memories from being retired'));
    await note(store, { tags: ['policy'] });
    await note(store, { title: 'Other', content: 'invoices go out on mondays' });
    const refusal = rejected(/by their owner only/);
    await expect(store.call('mark_memory_obsolete', { id: 1, reason: 'old' })).rejects.toMatchObject(refusal);
    await expect(store.call('memory_archive', { id: 1 })).rejects.toMatchObject(refusal);
    expect(await store.call('get_memory', { id: 1 })).toMatchObject({ is_obsolete: false });
    expect(await store.call('mark_memory_obsolete', { id: 2, reason: 'old' })).toEqual({ success: true });
  });

  it('point out near-duplicates', async () => {
    const store = await storeWith(example('Point out near-duplicates after a note was created'));
    await note(store);
    expect(await note(store)).toMatchObject({ id: 2, plugin_warnings: remarks('near_duplicate') });
  });

  it('K166 a plan needs a goal, and is not completed by its last task', async () => {
    const title = 'A plan needs a goal before it starts, and a person to end it';
    const store = await storeWith(example(title), { kind: 'plan' });
    await store.call('memory_save', { content: 'The cart keeps prices in cents', project: 'storefront' });
    await store.call('create_plan', { title: 'Plan', project_id: 1 });
    await expect(store.call('update_plan', { id: 1, status: 'active' })).rejects.toMatchObject({
      code: 'rejected_by_policy',
      message: expect.stringMatching(/^PLAN_PLUGIN_REJECTED: Write down the goal/),
      details: { policy: 'plan', code: 'no_goal' },
    });
    expect(await store.call('get_plan', { id: 1 })).toMatchObject({ status: 'draft' });
    await store.call('update_plan', { id: 1, status: 'active', goal: 'no more locks' });
    await store.call('create_task', { title: 'a', plan_id: 1 });
    await store.call('transition_task', { id: 1, state: 'doing', version: 1 });
    expect(await store.call('transition_task', { id: 1, state: 'done', version: 2 })).toMatchObject({
      state: 'done',
      version: 3,
      plugin_warnings: remarks('plan_auto_completion_rejected'),
    });
    expect(await store.call('get_plan', { id: 1 })).toMatchObject({ status: 'active' });
    expect(await store.call('update_plan', { id: 1, status: 'completed' })).toMatchObject({ status: 'completed' });
  });

  it('are all tried here', () => {
    expect([...tried].sort()).toEqual([...examples.keys()].sort());
  });
});

describe('a policy that gives no verdict', () => {
  const troubles = {
    throws: `export function before() { throw new Error('broken'); }`,
    'throws later': `export async function before() { await null; throw new Error('broken'); }`,
    'answers nonsense': `export const before = () => ({ outcome: 'perhaps', message: 'x' });`,
    'answers a number': `export const before = () => 42;`,
    'rejects without a word': `export const before = () => ({ outcome: 'reject' });`,
    'ends its thread': `export function before() { process.exit(1); }`,
    'leaves an error to nobody': `export const before = () => new Promise(() => setTimeout(() => { throw new Error(); }));`,
    'allocates without end': `export function before() { const all = []; for (;;) all.push({ text: 'x'.repeat(1000), n: all.length }); }`,
    'changes what it was given': `export function before({ proposed }) { proposed.content = 'mine'; }`,
    'sends a signal': `export function before() { process.kill(process.pid, 'SIGKILL'); }`,
    'exports nothing': `export const other = 1;`,
    'is no JavaScript': `export function {`,
  };

  it.each(Object.entries(troubles))('that %s: the write is refused, and the next ones too', async (_what, code) => {
    const store = await storeWith(code, { timeoutS: 4 });
    await expect(note(store)).rejects.toMatchObject(unavailable);
    await expect(note(store)).rejects.toMatchObject(unavailable);
    expect(await memoriesOf(store)).toBe(0);
  });

  it.each([
    ['hangs in a loop', 'export function before() { for (;;); }'],
    ['never answers', 'export const before = () => new Promise(() => undefined);'],
    ['hangs while it is loaded', 'await new Promise(() => undefined); export const before = () => null;'],
  ])('that %s is given up after its time, and the daemon answers meanwhile', async (_what, code) => {
    const store = await storeWith(code, { timeoutS: 0.5 });
    const startedMs = performance.now();
    const writes = [note(store), note(store), note(store)];
    const settled = Promise.allSettled(writes);
    expect(await memoriesOf(store)).toBe(0);
    for (const write of writes) await expect(write).rejects.toMatchObject(unavailable);
    await settled;
    expect(performance.now() - startedMs).toBeLessThan(6_000);
  });

  it('that fills memory beside the heap is ended before the machine notices', async () => {
    const code = `export function before() { const all = []; for (;;) all.push(Buffer.alloc(16 * 2 ** 20, 1)); }`;
    const store = await storeWith(code, { timeoutS: 10 });
    await expect(note(store)).rejects.toMatchObject(unavailable);
    expect(process.memoryUsage.rss()).toBeLessThan(4 * 2 ** 30);
  });

  it('that is not there refuses writes and says nothing of where it was looked for', async () => {
    const store = await openTestStore({ env: { LOCI_POLICIES_MEMORY: 'nowhere/policy.mjs' } });
    const refusal = await note(store).then(
      () => null,
      (error: Error) => error,
    );
    expect(refusal).toMatchObject(unavailable);
    expect(JSON.stringify(refusal)).not.toContain('nowhere');
  });

  it('in the mode warn lets the write through with a remark; a rejection is one in every mode', async () => {
    const code = `export function before({ proposed }) {
      if (proposed.title === 'bad') return { outcome: 'reject', message: 'No.' };
      throw new Error('broken');
    }`;
    const store = await storeWith(code, { mode: 'warn' });
    expect(await note(store)).toMatchObject({
      plugin_warnings: [
        { outcome: 'warn', message: 'Memory Write Plugin unavailable.', code: 'WRITE_PLUGIN_UNAVAILABLE' },
      ],
    });
    await expect(note(store, { title: 'bad' })).rejects.toMatchObject(rejected('No.'));
  });

  it('works again after it was ended: one bad write does not spoil the next', async () => {
    const code = `export function before({ proposed }) { if (proposed.title === 'bad') process.exit(0); }`;
    const store = await storeWith(code);
    await expect(note(store, { title: 'bad' })).rejects.toMatchObject(unavailable);
    expect(await note(store)).toMatchObject({ id: 1 });
  });
});

describe('the phases', () => {
  it('after the save the policy can only remark, whatever it says or does', async () => {
    const code = `export function after({ proposed }) {
      if (proposed.title === 'broken') throw new Error('broken');
      return [{ outcome: 'reject', message: 'too late', code: 'late' }, { outcome: 'warn', message: 'mind this' }];
    }`;
    const store = await storeWith(code);
    expect(await note(store)).toMatchObject({
      id: 1,
      plugin_warnings: [
        { outcome: 'warn', message: 'mind this' },
        { outcome: 'warn', message: 'too late', code: 'late' },
      ],
    });
    expect(await note(store, { title: 'broken' })).toMatchObject({
      id: 2,
      plugin_warnings: remarks('MEMORY_PLUGIN_AFTER_SAVE_UNAVAILABLE'),
    });
    expect(await memoriesOf(store)).toBe(2);
  });

  it('the policy sees operation, previous and proposed of create, update, obsolete and restore, and no update that changes nothing', async () => {
    const code = `let asked = 0;
    export function before({ kind, phase, operation, previous, proposed }) {
      asked += 1;
      return { outcome: 'warn', code: String(asked),
        message: [kind, phase, operation, previous?.title, previous?.id, proposed.title, proposed.status, proposed.obsolete_reason].join(' ') };
    }`;
    const store = await storeWith(code);
    const said = (answer: unknown) =>
      (answer as { plugin_warnings?: { message: string }[] }).plugin_warnings?.[0]?.message;
    expect(said(await note(store))).toBe('memory before create   Cart active');
    expect(said(await store.call('update_memory', { id: 1, title: 'Basket' }))).toBe(
      'memory before update Cart 1 Basket active',
    );
    expect(said(await store.call('update_memory', { id: 1, title: 'Basket' }))).toBeUndefined();
    expect(said(await store.call('mark_memory_obsolete', { id: 1, reason: 'old' }))).toBe(
      'memory before obsolete Basket 1 Basket obsolete old',
    );
    const restored = await store.call('unobsolete_memory', { id: 1 });
    expect(restored).toMatchObject({ success: true, plugin_warnings: remarks('4') });
    expect(said(restored)).toBe('memory before restore Basket 1 Basket active');
    expect(said(await store.call('memory_update', { id: 1, importance: 9 }))).toMatch(/^memory before update/);
  });

  it('a batch refuses what the policy rejects and keeps the rest; an atomic one keeps nothing', async () => {
    const code = `export const before = ({ proposed }) => proposed.content.includes('bad')
      ? { outcome: 'reject', message: 'No.' } : { outcome: 'warn', message: 'Hm.' };`;
    const store = await storeWith(code);
    const memories = [{ content: 'good enough to keep' }, { content: 'bad from the start' }];
    expect(await store.call('memory_save_many', { memories })).toMatchObject({
      results: [
        { outcome: 'created', warnings: ['Hm.'] },
        { outcome: 'failed', error: { code: 'rejected_by_policy' } },
      ],
    });
    await expect(store.call('memory_save_many', { memories, atomic: true })).rejects.toMatchObject({
      code: 'rejected_by_policy',
      message: expect.stringMatching(/^memories\.1/),
    });
    expect(await memoriesOf(store)).toBe(1);
  });

  it('K166 a plan policy remarks on plans and on what completes them, and may fail at either without losing the task', async () => {
    const code = `export function before({ operation, proposed, automatic }) {
      if (automatic && proposed.title === 'broken') throw new Error('broken');
      return { outcome: 'warn', message: 'seen', code: [operation, proposed.status, automatic].join('_') };
    }
    export const after = ({ automatic }) => automatic ? { outcome: 'warn', message: 'done', code: 'after_automatic' } : null;`;
    const store = await storeWith(code, { kind: 'plan' });
    await store.call('memory_save', { content: 'The cart keeps prices in cents', project: 'storefront' });
    for (const title of ['fine', 'broken']) {
      const plan = await store.call<{ id: number }>('create_plan', { title, project_id: 1, status: 'active' });
      expect(plan).toMatchObject({ plugin_warnings: remarks('create_active_false') });
      const { id } = await store.call<{ id: number }>('create_task', { title: 'a', plan_id: plan.id });
      await store.call('transition_task', { id, state: 'doing', version: 1 });
      const done = await store.call('transition_task', { id, state: 'done', version: 2 });
      const isFine = title === 'fine';
      expect(done).toMatchObject({
        state: 'done',
        plugin_warnings: isFine
          ? remarks('update_completed_true', 'after_automatic')
          : remarks('plan_auto_completion_unavailable'),
      });
      expect(await store.call('get_plan', { id: plan.id })).toMatchObject({ status: isFine ? 'completed' : 'active' });
    }
    expect(await store.call('update_plan', { id: 1, title: 'fine' })).not.toHaveProperty('plugin_warnings');
  });
});

describe('an answer with remarks', () => {
  it('is given whole again under its idempotency key: what was said before the write and after it', async () => {
    const code = `const say = (message) => ({ outcome: 'warn', message });
      export const before = () => say('before');
      export const after = () => say('after');`;
    const said = [{ message: 'before' }, { message: 'after' }];
    const store = await storeWith(code);
    const created = { title: 'Cart', content: 'prices are kept in cents', idempotency_key: 'create' };
    const patch = { memory_id: 1, title: 'Basket', idempotency_key: 'update' };
    const save = { content: 'the shop closes at ten', idempotency_key: 'save' };
    const many = { memories: [{ content: 'the shop opens at eight' }], idempotency_key: 'many' };
    for (const [operation, input, expected] of [
      ['create_memory', created, { plugin_warnings: said }],
      ['update_memory', patch, { plugin_warnings: said }],
      ['memory_save', save, { warnings: expect.arrayContaining(['before', 'after']) }],
      ['memory_save_many', many, { results: [{ warnings: expect.arrayContaining(['before', 'after']) }] }],
    ] as const) {
      const first = await store.call(operation, input);
      expect(first, operation).toMatchObject(expected);
      expect(await store.call(operation, input), operation).toEqual(first);
    }
    expect(await memoriesOf(store)).toBe(3);
    const plans = await storeWith(code, { kind: 'plan' });
    await plans.call('create_project', { name: 'shop' });
    const plan = { title: 'Sell', project_id: 1, idempotency_key: 'plan' };
    const first = await plans.call('create_plan', plan);
    expect(first).toMatchObject({ plugin_warnings: said });
    expect(await plans.call('create_plan', plan)).toEqual(first);
  });
});
