import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type CallContext, internalContext } from '#daemon/kernel/context.ts';
import { createInvoke, type Invoke } from '#daemon/kernel/invoke.ts';
import { implement, type Operation } from '#daemon/kernel/operation.ts';
import { createRegistry } from '#daemon/kernel/registry.ts';
import { additiveHints, defineContract, readOnlyHints } from '#shared/contract/operation.ts';
import { LociError } from '#shared/errors.ts';
import { createMemoryAnswers } from '../../support/http-surface.ts';
import { type Note, noteOperations } from '../../support/note-operations.ts';

const invokeOf = (operations: readonly Operation[]): Invoke =>
  createInvoke({ registry: createRegistry(operations), answers: createMemoryAnswers() });

const withKey = (idempotencyKey: string, userId = 1): CallContext => ({ ...internalContext, idempotencyKey, userId });

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('the one door', () => {
  it('refuses an unknown operation with the names of some that exist', async () => {
    await expect(invokeOf(noteOperations([]))('nope', {}, internalContext)).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringMatching(/^Tool 'nope' not found\. Available tools \(first 10\): note_save, /),
    });
  });

  it('asks for the scope before it looks at the arguments', async () => {
    const context = { ...internalContext, scopes: ['read'] };
    await expect(invokeOf(noteOperations([]))('note_save', { wrong: 1 }, context)).rejects.toMatchObject({
      code: 'forbidden',
      message: "'note_save' is not permitted: it needs the scope 'write:memories'.",
    });
  });

  it('a refused call reaches no handler', async () => {
    const notes: Note[] = [];
    const invoke = invokeOf(noteOperations(notes));
    for (const input of [{}, { content: ' ' }, { content: 'a\u0000' }, { content: 'a', colour: 1 }, []]) {
      await expect(invoke('note_save', input, internalContext)).rejects.toMatchObject({ code: 'invalid_input' });
    }
    expect(notes).toEqual([]);
  });

  it('fills in defaults, and answers only what the contract promises', async () => {
    const contract = defineContract({
      name: 'echo',
      title: 'Echo',
      description: 'Echo.',
      category: 'lifecycle',
      input: z.strictObject({ limit: z.int().min(1).max(9).default(5) }),
      output: z.object({ limit: z.int() }),
      hints: readOnlyHints,
      scope: 'read:memories',
    });
    const invoke = invokeOf([implement(contract, async (input) => ({ ...input, secret: 'x' }))]);
    expect(await invoke('echo', undefined, internalContext)).toEqual({ limit: 5 });
  });

  it('an answer that breaks the contract is a fault of the house, never passed on', async () => {
    const contract = defineContract({
      name: 'broken',
      title: 'Broken',
      description: 'Broken.',
      category: 'lifecycle',
      input: z.strictObject({}),
      output: z.object({ score: z.number() }),
      hints: readOnlyHints,
      scope: 'read:memories',
    });
    const failure = await invokeOf([implement(contract, async () => ({ score: Number.NaN }))])(
      'broken',
      {},
      internalContext,
    ).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(failure).not.toBeInstanceOf(LociError);
  });

  it('two operations of one name are a mistake that shows at the start', () => {
    const [first] = noteOperations([]) as [Operation];
    expect(() => createRegistry([first, first])).toThrow('two operations are named note_save');
  });
});

describe('idempotency keys', () => {
  it('the same key and body give the first answer and make one change, twenty at once', async () => {
    const notes: Note[] = [];
    const invoke = invokeOf(noteOperations(notes, () => pause(5)));
    const calls = Array.from({ length: 20 }, () => invoke('note_save', { content: 'once' }, withKey('k')));
    const answers = await Promise.all(calls);
    expect(notes).toHaveLength(1);
    for (const answer of answers) expect(answer).toEqual({ id: 1, content: 'once', tags: [], outcome: 'created' });
  });

  it('the order of fields and values sent as text make no other body', async () => {
    const notes: Note[] = [];
    const invoke = invokeOf(noteOperations(notes));
    await invoke('note_save', { content: 'a', tags: ['x'], pinned: true }, withKey('k'));
    await invoke('note_save', { pinned: 'true', tags: '["x"]', content: 'a', kind: 'fact' }, withKey('k'));
    expect(notes).toHaveLength(1);
  });

  it('another body under a key is a conflict, also while the first is under way', async () => {
    const notes: Note[] = [];
    const invoke = invokeOf(noteOperations(notes, () => pause(20)));
    const first = invoke('note_save', { content: 'one' }, withKey('k'));
    await expect(invoke('note_save', { content: 'two' }, withKey('k'))).rejects.toMatchObject({ code: 'conflict' });
    await first;
    await expect(invoke('note_hide', { id: 1 }, withKey('k'))).rejects.toMatchObject({ code: 'conflict' });
    expect(notes.map(({ content }) => content)).toEqual(['one']);
  });

  it('a key under way is waited for', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const notes: Note[] = [];
    const invoke = invokeOf(noteOperations(notes, () => held));
    const first = invoke('note_save', { content: 'one' }, withKey('k'));
    const second = invoke('note_save', { content: 'one' }, withKey('k'));
    const state = await Promise.race([second.then(() => 'answered'), pause(30).then(() => 'waiting')]);
    expect(state).toBe('waiting');
    release();
    expect(await second).toEqual(await first);
    expect(notes).toHaveLength(1);
  });

  it('a call that failed may be repeated under its key', async () => {
    let failures = 1;
    const notes: Note[] = [];
    const delay = async (): Promise<void> => {
      if (failures-- > 0) throw new LociError('unavailable', 'The disk is full.');
    };
    const invoke = invokeOf(noteOperations(notes, delay));
    const calls = [1, 2].map(() => invoke('note_save', { content: 'one' }, withKey('k')));
    await expect(calls[0]).rejects.toMatchObject({ code: 'unavailable' });
    await expect(calls[1]).resolves.toMatchObject({ id: 1 });
    expect(notes).toHaveLength(1);
  });

  it('keys of different users, different keys and no key are different changes', async () => {
    const notes: Note[] = [];
    const invoke = invokeOf(noteOperations(notes));
    const contexts = [withKey('k'), withKey('k', 2), withKey('other'), internalContext, internalContext];
    for (const context of contexts) await invoke('note_save', { content: 'one' }, context);
    expect(notes).toHaveLength(5);
  });

  it('the key may be a field, which wins over the one of the transport and is no part of the body', async () => {
    const notes: Note[] = [];
    const invoke = invokeOf(noteOperations(notes));
    await invoke('note_save', { content: 'one', idempotency_key: 'k' }, withKey('request-1'));
    await invoke('note_save', { content: 'one', idempotency_key: 'k' }, withKey('request-2'));
    await invoke('note_save', { content: 'one' }, withKey('k'));
    expect(notes).toHaveLength(1);
  });

  it('reading needs no key and keeps none', async () => {
    const invoke = invokeOf(noteOperations([]));
    await invoke('note_search', { query: 'a' }, withKey('k'));
    await expect(invoke('note_search', { query: 'b' }, withKey('k'))).resolves.toMatchObject({ query: 'b' });
  });

  it('the handler learns the claim that its transaction records', async () => {
    const contract = defineContract({
      name: 'claims',
      title: 'Claims',
      description: 'Claims.',
      category: 'lifecycle',
      input: z.strictObject({ a: z.string() }),
      output: z.object({ key: z.string().nullable(), hash: z.string().nullable() }),
      hints: additiveHints,
      scope: 'write:memories',
    });
    const handle = implement(contract, async (_input, { claim }) => ({
      key: claim?.key ?? null,
      hash: claim?.bodyHash ?? null,
    }));
    const invoke = invokeOf([handle]);
    expect(await invoke('claims', { a: 'x' }, withKey('k'))).toEqual({
      key: 'k',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(await invoke('claims', { a: 'x' }, internalContext)).toEqual({ key: null, hash: null });
  });
});
