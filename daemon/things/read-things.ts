import type { Queries } from '#daemon/storage/sqlite.ts';
import { invalidField, LociError } from '#shared/errors.ts';
import type { ThingRow, ThingTable } from './kind.ts';
import { thingById } from './things.repository.ts';

/** A user's thing. Throws `not_found` where there is none of that id. */
export async function requireThing<R extends ThingRow>(
  db: Queries,
  kind: { readonly table: ThingTable; readonly noun: string },
  userId: number,
  id: number,
): Promise<R> {
  const row = await thingById<R>(db, kind, userId, id);
  if (row === null) throw missing(kind.noun, id);
  return row;
}

export function missing(noun: string, id: number): LociError {
  return new LociError('not_found', `${noun} ${id} not found.`, { id });
}

/**
 * The one value that is given under several names: `document_id` and `id`. The first name is the one that a refusal asks for.
 * Throws `invalid_input` for none, and for two that differ.
 */
export function oneOf<Value>(given: Readonly<Record<string, Value | undefined>>): Value {
  const value = oneOrNone(given);
  if (value !== undefined) return value;
  const [field = 'id'] = Object.keys(given);
  throw new LociError('invalid_input', `\`${field}\` is required.`, { [field]: 'is required' });
}

/** The same where all names may be absent. */
export function oneOrNone<Value>(given: Readonly<Record<string, Value | undefined>>): Value | undefined {
  const [first, ...others] = Object.entries(given).filter(([, value]) => value !== undefined);
  const other = others.find(([, value]) => value !== first?.[1]);
  if (first !== undefined && other !== undefined) {
    throw invalidField(
      other[0],
      `\`${first[0]}\` and \`${other[0]}\` are two names of one field and differ: give one of them.`,
    );
  }
  return first?.[1];
}

/** What an answer says of its page. */
export function pageOf(
  { limit, offset }: { readonly limit: number; readonly offset: number },
  shown: number,
  total: number,
) {
  return { total_count: total, total, limit, offset, has_more: offset + shown < total };
}
