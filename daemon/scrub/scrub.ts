// What was stored before a rule existed, or came in another way, is looked through again. Things that are searched are changed by their own
// rooms, so that words and vectors of the secret go too; then every text of the database, history and logs included, is cleaned in place.
// Undo and history of such a text end here: bringing the secret back is not wanted.
import { sql } from 'kysely';
import type { CallContext } from '#daemon/kernel/context.ts';
import { internalContext } from '#daemon/kernel/context.ts';
import type { Invoke } from '#daemon/kernel/invoke.ts';
import type { Logger } from '#daemon/kernel/logger.ts';
import { changeMemory, judgeText, type Memory, type MemoryDeps, memoryById } from '#daemon/memories/index.ts';
import { redactBytes } from '#daemon/secrets/redact-bytes.ts';
import { redactValue } from '#daemon/secrets/redact-value.ts';
import { replaceStoredText, type StoredText, storedTexts } from '#daemon/storage/stored-texts.ts';
import type { OutputOf } from '#shared/contract/operation.ts';
import type { scrub } from '#shared/contract/trust.ts';

export type ScrubDeps = {
  readonly memories: MemoryDeps;
  readonly logger: Logger;
  /** Calls an operation of another room. */
  readonly invoke: Invoke;
};

type Place = StoredText & { readonly kinds: readonly string[] };

const maxNamed = 1_000;

/** By table: the operation that changes a thing and indexes it anew, and the fields that it takes as they are stored. */
const changes: Readonly<Record<string, { readonly operation: string; readonly fields: readonly string[] }>> = {
  documents: {
    operation: 'update_document',
    fields: ['title', 'description', 'content', 'filename', 'tags', 'source_url'],
  },
  code_artifacts: { operation: 'update_code_artifact', fields: ['title', 'description', 'code', 'tags', 'source_url'] },
  files: { operation: 'update_file', fields: ['filename', 'description', 'tags', 'source_url'] },
  skills: {
    operation: 'update_skill',
    fields: ['description', 'content', 'license', 'compatibility', 'tags', 'metadata'],
  },
  entities: { operation: 'update_entity', fields: ['name', 'notes', 'aka', 'tags', 'metadata'] },
};

/** Looks through everything, and with `dryRun` false replaces what it finds. */
export async function scrubStore(deps: ScrubDeps, { dryRun }: { dryRun: boolean }): Promise<OutputOf<typeof scrub>> {
  const { database, vectors } = deps.memories;
  const { places, scanned } = await findPlaces(deps);
  if (!dryRun) {
    await changeIndexed(deps, places);
    const { places: left } = await findPlaces(deps);
    for (const part of parts(left)) {
      await database.write(internalContext, async (trx) => {
        for (const place of part) await replaceStoredText(trx, place, redacted(place).value);
      });
    }
    await vectors.flush();
    await database.checkpoint();
  }
  return {
    scanned,
    found: places.length,
    places: places.slice(0, maxNamed).map(({ table, key, column, kinds }) => ({
      table,
      id: typeof key.id === 'number' ? key.id : typeof key.memory_id === 'number' ? key.memory_id : null,
      field: column,
      kinds: [...kinds],
    })),
    quarantined: dryRun ? 0 : await judgeAll(deps),
    dry_run: dryRun,
  };
}

async function findPlaces({ memories }: ScrubDeps): Promise<{ places: Place[]; scanned: number }> {
  const places: Place[] = [];
  let scanned = 0;
  for await (const text of storedTexts(memories.database.db)) {
    scanned += 1;
    const { kinds } = redacted(text);
    if (kinds.length > 0) places.push({ ...text, kinds });
  }
  return { places, scanned };
}

/** A text as it should be: JSON stays JSON, bytes stay bytes. */
function redacted({ value }: StoredText): { value: string | Buffer; kinds: readonly string[] } {
  if (typeof value !== 'string') {
    const { bytes, kinds } = redactBytes(value);
    return { value: bytes, kinds };
  }
  const json = /^\s*[[{]/.test(value) ? parsed(value) : undefined;
  const { value: clean, kinds } = redactValue(json ?? value);
  if (kinds.length === 0) return { value, kinds };
  return { value: json === undefined ? String(clean) : JSON.stringify(clean), kinds };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** One change for each thing. A room or a policy that refuses one leaves it to the pass over all texts. */
async function changeIndexed(deps: ScrubDeps, places: readonly Place[]): Promise<void> {
  const done = new Set<string>();
  for (const { table, key } of places) {
    const id = Number(key.id);
    const isIndexed = table === 'memories' || changes[table] !== undefined;
    if (!isIndexed || done.has(`${table} ${id}`)) continue;
    done.add(`${table} ${id}`);
    try {
      if (table === 'memories') await changeOne(deps, id);
      else await changeThing(deps, table, id);
    } catch (err) {
      deps.logger.warn({ err, table, id }, 'a scrubbed thing could not be indexed anew');
    }
  }
}

async function changeOne(deps: ScrubDeps, id: number): Promise<void> {
  const context = await ownerOf(deps, 'memories', id);
  if (context === null) return;
  const apply = (present: Memory): Memory => redactValue(present).value as Memory;
  await changeMemory(deps.memories, id, { action: 'scrubbed', apply }, context, () => ({}));
}

async function changeThing(deps: ScrubDeps, table: string, id: number): Promise<void> {
  const context = await ownerOf(deps, table, id);
  const change = changes[table];
  if (context === null || change === undefined) return;
  const row = await rowOf(deps, table, id);
  if (row === null) return;
  const fields = change.fields.flatMap((field) => {
    const value = row[field];
    if (typeof value !== 'string') return [];
    const json = /^[[{]/.test(value) ? (parsed(value) ?? value) : value;
    const { value: clean, kinds } = redactValue(json);
    return kinds.length === 0 ? [] : [[field, clean] as const];
  });
  if (fields.length > 0) await deps.invoke(change.operation, { id, ...Object.fromEntries(fields) }, context);
}

async function ownerOf(deps: ScrubDeps, table: string, id: number): Promise<CallContext | null> {
  const row = await rowOf(deps, table, id);
  return row === null ? null : { ...internalContext, userId: row.user_id };
}

async function rowOf({ memories }: ScrubDeps, table: string, id: number) {
  const query = sql<Record<string, unknown> & { user_id: number }>`SELECT * FROM ${sql.table(table)} WHERE id = ${id}`;
  return (await query.execute(memories.database.db)).rows[0] ?? null;
}

/** Memories from before the rules, or from an older release's rules. Answers how many are held. */
async function judgeAll({ memories: deps }: ScrubDeps): Promise<number> {
  const { db } = deps.database;
  const rows = await db.selectFrom('memories').select(['id', 'user_id']).orderBy('id').execute();
  for (const part of parts(rows)) {
    await deps.database.write(internalContext, async (trx) => {
      for (const { id, user_id } of part) {
        const memory = await memoryById(trx, user_id, id);
        if (memory !== null) await judgeText(trx, memory, deps.clock.now());
      }
    });
  }
  const { held } = await db
    .selectFrom('quarantined_memories')
    .select((eb) => eb.fn.countAll<number>().as('held'))
    .where('verdict', '=', 'held')
    .executeTakeFirstOrThrow();
  return held;
}

/** So few at a time that no save waits long behind them. */
function parts<T>(all: readonly T[]): T[][] {
  const length = 50;
  return Array.from({ length: Math.ceil(all.length / length) }, (_, index) =>
    all.slice(index * length, (index + 1) * length),
  );
}
