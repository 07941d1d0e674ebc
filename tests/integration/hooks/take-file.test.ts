// A file of an agent's memory folder is a memory, and stays the same one.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { madeUpTokens } from '../../support/made-up-secrets.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { openTestStore, type TestStore } from '../../support/test-store.ts';

type Taken = { id: number | null; outcome: string; why: string | null };

function memoryFile(name: string, text: string, folder = tempFolder()): string {
  const file = join(folder, '.claude', 'projects', '-srv-shop', 'memory', name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const take = (store: TestStore, path: string, more: object = {}) =>
  store.call<Taken>('memory_take_file', { path, ...more });

describe('a memory file', () => {
  it.each([
    ['user', 'preference'],
    ['project', 'context'],
    ['feedback', 'fact'],
    ['reference', 'fact'],
  ])('of type %s becomes a memory of type %s', async (given, type) => {
    const store = await openTestStore();
    const head = `name: Tea\ndescription: what to offer: at noon\ntype: ${given}\nmood: calm\nlevels:\n  deep: [1, two]`;
    const file = memoryFile(
      'tea.md',
      `\uFEFF---\r\n${head.replaceAll('\n', '\r\n')}\r\n---\r\n\r\nOffer green tea.\r\n`,
    );
    const { id } = await take(store, file, { project: 'shop' });
    expect(await store.call('memory_get', { id })).toMatchObject({
      title: 'Tea',
      context: 'what to offer: at noon',
      content: 'Offer green tea.',
      type,
      project: 'shop',
      metadata: { mood: 'calm', levels: { deep: [1, 'two'] }, memory_file: file },
    });
  });

  it('that is written again changes its memory, and what people added to it stays', async () => {
    const store = await openTestStore();
    const file = memoryFile('tea.md', '---\nname: Tea\n---\nOffer green tea.');
    const { id } = await take(store, file);
    await store.call('memory_update', { id, tags: ['kitchen'], importance: 9 });
    expect(await take(store, file)).toMatchObject({ id, outcome: 'unchanged' });
    writeFileSync(file, '---\nname: Tea\n---\nOffer black tea.');
    expect(await take(store, file)).toMatchObject({ id, outcome: 'updated' });
    expect(await store.call('memory_get', { id })).toMatchObject({
      content: 'Offer black tea.',
      tags: ['kitchen'],
      importance: 9,
      history: 2,
    });
  });

  it('whose memory was archived makes a new one; the old one is not revived', async () => {
    const store = await openTestStore();
    const file = memoryFile('tea.md', 'Offer green tea.');
    const { id } = await take(store, file);
    await store.call('memory_archive', { id });
    writeFileSync(file, 'Offer green tea at noon.');
    expect(await take(store, file)).toMatchObject({ id: 2, outcome: 'created' });
    expect(await store.call('memory_get', { id })).toMatchObject({ status: 'archived' });
  });

  it('loses its secrets and its private parts, not the words around them', async () => {
    const store = await openTestStore();
    const [, token = ''] = madeUpTokens()[2] ?? [];
    const text = `---\nname: Uploads\ndescription: uses ${token}\nkey: "${token}"\n---\nThe job uses ${token} for uploads. <private>My door code.</private>`;
    const { id } = await take(store, memoryFile('uploads.md', text));
    const record = JSON.stringify(await store.call('memory_get', { id }));
    expect(record).not.toContain(token);
    expect(record).not.toContain('door code');
    expect(record).toContain('The job uses [redacted: GitHub token] for uploads.');
  });

  it('with a head that is no YAML is read all the same, and aliases are never followed', async () => {
    const store = await openTestStore();
    const bomb = ['a: &a [x,x,x,x,x,x,x,x,x]', 'b: &b [*a,*a,*a,*a,*a,*a]', 'c: [*b,*b,*b,*b,*b,*b]'].join('\n');
    const { id } = await take(store, memoryFile('bomb.md', `---\nname: [unclosed\n${bomb}\n__proto__: x\n---\nText.`));
    const { metadata, title } = await store.call<{ metadata: object; title: string }>('memory_get', { id });
    expect(title).toBe('[unclosed');
    expect(JSON.stringify(metadata).length).toBeLessThan(500);
    const deep = await take(store, memoryFile('deep.md', `---\na: ${'['.repeat(20_000)}\n---\nDeep text.`));
    expect(deep.outcome).toBe('created');
  });

  it('that says nothing, is a stub, the index, or lies elsewhere becomes none', async () => {
    const store = await openTestStore();
    expect(await take(store, memoryFile('empty.md', '---\n---\n\n'))).toMatchObject({ id: null, outcome: 'skipped' });
    expect(await take(store, memoryFile('stub.md', '<!-- loci:stub memory=1 -->\nTea'))).toMatchObject({
      outcome: 'skipped',
    });
    for (const path of [memoryFile('MEMORY.md', 'index'), join(tempFolder(), 'memory', 'code.md'), 'memory/tea.md']) {
      await expect(take(store, path)).rejects.toMatchObject({ code: 'invalid_input' });
    }
    await expect(take(store, join(tempFolder(), '.claude/projects/x/memory/gone.md'))).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
