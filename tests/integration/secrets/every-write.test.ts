// No credential and no private span reaches the disk by any field of any operation that changes something. The test walks the registry, so
// that a field which is added later is walked too; each call carries a word of its own, and all are looked for in every file at the end.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inputSchemaOf, type JsonSchema, listOf, objectOf, typesOf } from '#daemon/kernel/input-schema.ts';
import { contracts } from '#shared/contract/index.ts';
import { LociError } from '#shared/errors.ts';
import { type Belongings, callerOn, inputsWith, plantEverything } from '../../support/isolation.ts';
import { madeUp } from '../../support/made-up-secrets.ts';
import { openTestStore, type TestStore } from '../../support/test-store.ts';

type Case = { readonly operation: string; readonly where: string; readonly input: object; readonly word: string };

const changing = contracts.filter(({ hints }) => !hints.readOnly);

/** Each text of an input, one at a time, replaced by what `textOf` makes of a word of its own. */
function casesWith(mine: Belongings, textOf: (word: string) => string): Case[] {
  let number = 0;
  return changing.flatMap((contract) => {
    const words = { query: 'caches', text: 'some words', project: 'shop okapi' };
    const base = inputsWith(contract, mine, mine, words)[1] ?? {};
    return placesIn(inputSchemaOf(contract.input), []).map((path) => {
      number += 1;
      const word = madeUp(36, undefined, number * 7919);
      const input = withAt(base, path, textOf(word)) as object;
      return { operation: contract.name, where: path.join('.'), input, word };
    });
  });
}

/** Where a schema takes free text: `title`, `tags.0`, `metadata.note`, `memories.0.content`. */
function placesIn(schema: JsonSchema, path: readonly string[]): string[][] {
  const list = listOf(schema);
  if (list?.items !== undefined) return placesIn(list.items, [...path, '0']);
  const object = objectOf(schema);
  if (object.properties !== undefined) {
    return Object.entries(object.properties).flatMap(([name, member]) => placesIn(member, [...path, name]));
  }
  if (object.type === 'object' || typesOf(schema).includes('object'))
    return [
      [...path, 'note'],
      [...path, 'deep', 'note'],
    ];
  return typesOf(schema).includes('string') && schema.enum === undefined ? [[...path]] : [];
}

function withAt(base: unknown, [step, ...rest]: readonly string[], value: string): unknown {
  if (step === undefined) return value;
  if (step === '0') return [withAt((base as unknown[] | undefined)?.[0], rest, value)];
  const fields = typeof base === 'object' && base !== null && !Array.isArray(base) ? base : {};
  return { ...fields, [step]: withAt((fields as Record<string, unknown>)[step], rest, value) };
}

async function callAll(store: TestStore, cases: readonly Case[]): Promise<Map<Case, string>> {
  const call = callerOn(store, 1, ['*']);
  const outcomes = new Map<Case, string>();
  for (const one of cases) {
    try {
      await call(one.operation, one.input);
      outcomes.set(one, 'ok');
    } catch (error) {
      if (!(error instanceof LociError)) throw error;
      expect(error.message + JSON.stringify(error.details), `${one.operation} ${one.where}`).not.toContain(one.word);
      outcomes.set(one, /holds a secret/.test(error.message) ? 'refused as a secret' : error.code);
    }
  }
  return outcomes;
}

/** Cases whose word stands in any file of the home, in whichever case the index keeps it. */
async function keptIn(store: TestStore, cases: readonly Case[]): Promise<string[]> {
  await store.close();
  const files = readdirSync(store.home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const bytes = files.map((file) => readFileSync(join(file.parentPath, file.name)).toString('latin1'));
  const all = bytes.join('\n');
  const folded = all.toLowerCase();
  return cases
    .filter(({ word }) => all.includes(word) || folded.includes(word.toLowerCase()))
    .map(({ operation, where }) => `${operation} ${where}`);
}

async function world(env: Record<string, string> = {}): Promise<{ store: TestStore; mine: Belongings }> {
  const store = await openTestStore({ env });
  return { store, mine: await plantEverything(callerOn(store, 1, ['*']), 'okapi') };
}

const token = (word: string): string => `push with gh${'p_'}${word} to origin`;

describe('every text of every operation that changes something', () => {
  it('B72 a credential in it is refused, whatever the field, and is in no file', async () => {
    const { store, mine } = await world();
    const cases = casesWith(mine, token);
    expect(cases.length).toBeGreaterThan(300);
    const outcomes = await callAll(store, cases);
    const done = [...outcomes]
      .filter(([, outcome]) => outcome === 'ok')
      .map(([one]) => `${one.operation} ${one.where}`);
    expect(done).toEqual([]);
    expect([...outcomes.values()].filter((outcome) => outcome === 'refused as a secret').length).toBeGreaterThan(150);
    expect(await keptIn(store, cases)).toEqual([]);
  });

  it('B72 with `secrets.mode` redact it is taken out, and the words around it stay', async () => {
    const { store, mine } = await world({ LOCI_SECRETS_MODE: 'redact' });
    const saved = await store.call<{ id: number }>('memory_save', { content: token(madeUp(36)) });
    expect(await store.call('memory_get', { id: saved.id })).toMatchObject({
      content: 'push with [redacted: GitHub token] to origin',
    });
    const cases = casesWith(mine, token);
    const outcomes = await callAll(store, cases);
    const refused = [...outcomes].filter(([, outcome]) => outcome === 'refused as a secret');
    expect(refused.filter(([{ where }]) => where !== 'idempotency_key')).toEqual([]);
    expect(await keptIn(store, cases)).toEqual([]);
  });

  it('a private span in it is dropped, whatever the field, and is in no file', async () => {
    const { store, mine } = await world();
    const cases = casesWith(mine, (word) => `said <private>for you alone: ${word}</private>openly`);
    // a key of repetition is no text: it is compared and never shown
    const texts = cases.filter(({ where }) => where !== 'idempotency_key');
    await callAll(store, texts);
    const saved = await store.call<{ id: number }>('memory_save', { content: 'a <PRIVATE>b</private>c `<private>` d' });
    expect(await store.call('memory_get', { id: saved.id })).toMatchObject({ content: 'a c `<private>` d' });
    await expect(store.call('memory_save', { content: '<private>all of it' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    expect(await keptIn(store, texts)).toEqual([]);
  });

  it('B72 a name beside a value gives it away, in metadata as in a fact', async () => {
    const { store } = await world();
    for (const [operation, input] of [
      ['memory', { action: 'save', category: 'technical', key: 'db_password', value: 'hunter2x' }],
      ['create_project', { name: 'p', description: 'd', metadata: { deep: { db_password: 'hunter2x' } } }],
      [
        'create_file',
        {
          filename: 'a.env',
          description: 'd',
          mime_type: 'text/plain',
          data: Buffer.from('API_KEY=a1b2c3d4e5f6g7h8').toString('base64'),
        },
      ],
    ] as const) {
      await expect(store.call(operation, input)).rejects.toMatchObject({ code: 'rejected_by_policy' });
    }
  });

  it('B72 a file is read in whichever encoding it is, and what is no text for tokens alone', async () => {
    const word = madeUp(36);
    const bytesOf = {
      'utf16.env': Buffer.from(`\uFEFFTOKEN=gh${'p_'}${word}`, 'utf16le'),
      'latin1.env': Buffer.from(`Schl\u00FCssel: gh${'p_'}${word}`, 'latin1'),
      'image.png': Buffer.concat([Buffer.from([0, 1, 2, 0xff]), Buffer.from(`gh${'p_'}${word}`), Buffer.from([0, 7])]),
    };
    const inputs = Object.entries(bytesOf).map(([filename, bytes]) => ({
      filename,
      description: 'd',
      mime_type: 'application/octet-stream',
      data: bytes.toString('base64'),
    }));
    const { store } = await world();
    for (const input of inputs) {
      await expect(store.call('create_file', input)).rejects.toMatchObject({ code: 'rejected_by_policy' });
    }
    const { store: lenient } = await world({ LOCI_SECRETS_MODE: 'redact' });
    for (const input of inputs) {
      const { id } = await lenient.call<{ id: number }>('create_file', input);
      const { data } = await lenient.call<{ data: string }>('get_file', { id });
      const kept = Buffer.from(data, 'base64');
      expect(kept.toString('latin1').replaceAll('\0', '')).not.toContain(word);
      if (input.filename === 'image.png') expect(kept.length).toBe(bytesOf['image.png'].length);
    }
    await lenient.close();
  });

  it('a name that bytes have elsewhere hides nothing: `data` in metadata is read as the text that it is', async () => {
    const { store } = await world();
    for (const metadata of [{ data: token(madeUp(36)) }, { deep: { data: [token(madeUp(36))] } }]) {
      await expect(
        store.call('create_entity', { name: 'e', entity_type: 'Other', custom_type: 'x', metadata }),
      ).rejects.toMatchObject({
        code: 'rejected_by_policy',
      });
    }
  });
});
