// The user whom a call is made for, and what is noted of them.
import { z } from 'zod';
import { id, text, utc } from '../common.ts';
import { defineContract, readOnlyHints, updateHints } from '../operation.ts';
import { idempotencyKey } from './listing.ts';

const notes = text(20_000).nullable().optional();

const user = z.object({
  id,
  user_id: id,
  name: z.string(),
  username: z.string(),
  email: z.string().nullable(),
  notes: z.string().nullable(),
  user_notes: z.string().nullable(),
  created_at: utc,
  updated_at: utc,
});

export const getCurrentUser = defineContract({
  name: 'get_current_user',
  title: 'Who am I',
  description: 'Tell which user you work for, and what is noted of their preferences.',
  category: 'user',
  input: z.strictObject({}),
  output: user,
  hints: readOnlyHints,
  scope: 'read:users',
  http: [{ method: 'GET', path: '/api/v1/user' }],
});

export const updateUserNotes = defineContract({
  name: 'update_user_notes',
  title: 'Note about user',
  description:
    'Replace the notes about the user you work for: lasting preferences, role, way of working. Read them first by get_current_user, and send the whole text.',
  category: 'user',
  input: z.strictObject({
    notes: notes.describe('the whole text; null or blank clears; `user_notes` is the same'),
    user_notes: notes,
    idempotency_key: idempotencyKey,
  }),
  output: user,
  hints: updateHints,
  scope: 'write:users',
  http: [
    { method: 'PATCH', path: '/api/v1/user' },
    { method: 'PUT', path: '/api/v1/user' },
  ],
  examples: [{ notes: 'Prefers TypeScript; reviews before lunch.' }],
});

export const userContracts = [getCurrentUser, updateUserNotes] as const;
