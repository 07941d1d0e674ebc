// A small house of its own to test the adapters with: notes with every kind of field, and routes of every shape.
import { z } from 'zod';
import { implement, type Operation } from '#daemon/kernel/operation.ts';
import { id, labels, requiredText, share, text } from '#shared/contract/common.ts';
import { additiveHints, defineContract, eraseHints, readOnlyHints, updateHints } from '#shared/contract/operation.ts';
import { LociError } from '#shared/errors.ts';

export type Note = { id: number; content: string; tags: string[] };

const note = z.object({ id, content: z.string(), tags: z.array(z.string()) });

export const noteSave = defineContract({
  name: 'note_save',
  title: 'Save a note',
  description: 'Save a note.',
  category: 'lifecycle',
  input: z.strictObject({
    content: requiredText(100),
    kind: z.enum(['fact', 'task']).default('fact'),
    tags: labels(5, 20).optional(),
    ids: z.array(id).max(5).optional(),
    share: share.optional(),
    pinned: z.boolean().optional(),
    source: text(20).optional(),
    idempotency_key: text(200).optional(),
  }),
  output: note.extend({ outcome: z.enum(['created', 'unchanged']) }),
  hints: additiveHints,
  scope: 'write:memories',
  http: [
    { method: 'POST', path: '/notes', created: (output) => (output as { outcome: string }).outcome === 'created' },
  ],
});

export const noteSearch = defineContract({
  name: 'note_search',
  title: 'Search notes',
  description: 'Search notes.',
  category: 'lifecycle',
  input: z.strictObject({
    query: requiredText(100),
    limit: z.int().min(1).max(50).default(5),
    project_ids: z.array(id).optional(),
    deep: z.boolean().default(false),
  }),
  output: z.object({ query: z.string(), limit: z.int(), project_ids: z.array(z.int()), deep: z.boolean() }),
  hints: readOnlyHints,
  scope: 'read:memories',
  http: [{ method: 'GET', path: '/notes/search', aliases: { q: 'query' }, csv: ['project_ids'] }],
});

export const noteGet = defineContract({
  name: 'note_get',
  title: 'Get a note',
  description: 'Get a note.',
  category: 'lifecycle',
  input: z.strictObject({ id }),
  output: note,
  hints: readOnlyHints,
  scope: 'read:memories',
  http: [{ method: 'GET', path: '/notes/:id' }],
});

export const noteUpdate = defineContract({
  name: 'note_update',
  title: 'Update a note',
  description: 'Update a note.',
  category: 'lifecycle',
  input: z.strictObject({
    id,
    content: requiredText(100).optional(),
    source: text(20).nullable().optional(),
    tags: labels(5, 20).optional(),
    idempotency_key: text(200).optional(),
  }),
  output: z.object({ given: z.record(z.string(), z.unknown()) }),
  hints: updateHints,
  scope: 'write:memories',
  http: [{ method: 'PATCH', path: '/notes/:id' }],
});

export const noteHide = defineContract({
  name: 'note_hide',
  title: 'Hide a note',
  description: 'Hide a note.',
  category: 'lifecycle',
  input: z.strictObject({ id, reason: text(50).optional() }),
  output: z.object({ hidden: id, reason: z.string().nullable() }),
  hints: updateHints,
  scope: 'write:memories',
  http: [{ method: 'DELETE', path: '/notes/:id' }],
});

export const noteErase = defineContract({
  name: 'note_erase',
  title: 'Erase a note',
  description: 'Erase a note.',
  category: 'lifecycle',
  input: z.strictObject({ id }),
  output: z.object({ erased: id }),
  hints: eraseHints,
  scope: 'admin',
  http: [{ method: 'DELETE', path: '/notes/:id', when: { purge: 'true' } }],
});

export const noteBreak = defineContract({
  name: 'note_break',
  title: 'Break',
  description: 'Fails in a way nobody foresaw.',
  category: 'lifecycle',
  input: z.strictObject({}),
  output: z.object({}),
  hints: readOnlyHints,
  scope: 'read:memories',
  http: [{ method: 'POST', path: '/notes/break' }],
});

/** The operations over a list of notes; `delay` is awaited before each save. */
export function noteOperations(notes: Note[], delay: () => Promise<void> = async () => undefined): Operation[] {
  return [
    implement(noteSave, async ({ content, tags }) => {
      await delay();
      const made = { id: notes.length + 1, content, tags: tags ?? [] };
      notes.push(made);
      return { ...made, outcome: 'created' as const };
    }),
    implement(noteSearch, async (input) => ({ ...input, project_ids: input.project_ids ?? [] })),
    implement(noteGet, async ({ id: wanted }) => {
      const found = notes.find((candidate) => candidate.id === wanted);
      if (found === undefined) throw new LociError('not_found', `Note ${wanted} not found.`);
      return found;
    }),
    implement(noteUpdate, async ({ id: _id, ...given }) => ({ given })),
    implement(noteHide, async ({ id: hidden, reason }) => ({ hidden, reason: reason ?? null })),
    implement(noteErase, async ({ id: erased }) => ({ erased })),
    implement(noteBreak, async () => {
      throw new Error('disk /var/lib/secret/notes.db is on fire');
    }),
  ];
}
