// The vectors that the reader worker holds of one model: all of them while an exact search serves, or only the things that the outbox
// still lists while LanceDB does. They come from the blobs in SQLite in slices, so that other questions are answered in between,
// and from `publish` messages meanwhile: a slice reads what is committed, a message carries its rev, so the order does not matter.

import type Sqlite from 'better-sqlite3';
import { prepared } from '../prepared.ts';
import type { ThingKey, VectorChange } from '../search-types.ts';
import { createExactVectors, type ExactVectors, type ThingRows } from './exact-vectors.ts';
import { projectIdsToText } from './scope-groups.ts';
import { vectorToBlob } from './vector-blob.ts';

/** `all` rows, or only the `fresh` ones that LanceDB does not have yet. */
export type Share = 'all' | 'fresh';

export type HeldVectors = {
  /** The vectors of a model, loaded when first asked for. */
  of(modelId: string, dimensions: number, share: Share): Promise<ExactVectors>;
  /** All vectors of a model, if they are in memory now. */
  whole(modelId: string): ExactVectors | null;
  publish(changes: readonly VectorChange[]): void;
  /** Reads things again that changed elsewhere; `rev` is the one they had then, or have been erased at. */
  reread(keys: readonly (ThingKey & { readonly rev: number })[]): void;
  /** Drops things whose rev LanceDB has, where only fresh ones are held; answers the rows that remain. */
  forget(modelId: string, keys: readonly (ThingKey & { readonly rev: number })[]): number;
};

type Holding = {
  readonly modelId: string;
  readonly share: Share;
  readonly vectors: ExactVectors;
  readonly loaded: Promise<void>;
  isLoaded: boolean;
  usedAtMs: number;
};

const sliceRows = 1000;
/** A model that is no longer asked for (after re-embedding) is let go. */
const idleMs = 60_000;

/** What LanceDB does not have yet, where it clears the outbox of what it has. */
const allOfOutbox = 'SELECT kind, thing_id AS id, rev FROM outbox';

/** `freshThings`: the question for what LanceDB does not have yet. */
export function createHeldVectors(
  db: Sqlite.Database,
  nowMs: () => number = Date.now,
  freshThings: string = allOfOutbox,
): HeldVectors {
  const holdings = new Map<string, Holding>();

  function begin(modelId: string, dimensions: number, share: Share): Holding {
    const vectors = createExactVectors(dimensions);
    const loaded = share === 'all' ? loadAll(db, modelId, vectors) : loadFresh(db, modelId, vectors, freshThings);
    const holding: Holding = { modelId, share, vectors, loaded, isLoaded: false, usedAtMs: nowMs() };
    holdings.set(modelId, holding);
    loaded.then(
      () => {
        holding.isLoaded = true;
      },
      // a load that failed is begun anew by the next question
      () => {
        if (holdings.get(modelId) === holding) holdings.delete(modelId);
      },
    );
    return holding;
  }

  return {
    async of(modelId, dimensions, share) {
      const known = holdings.get(modelId);
      const fits = known !== undefined && known.share === share && known.vectors.dimensions === dimensions;
      const holding = fits ? known : begin(modelId, dimensions, share);
      holding.usedAtMs = nowMs();
      for (const other of holdings.values()) {
        if (other.usedAtMs < nowMs() - idleMs) holdings.delete(other.modelId);
      }
      await holding.loaded;
      return holding.vectors;
    },
    whole(modelId) {
      const holding = holdings.get(modelId);
      return holding?.share === 'all' && holding.isLoaded ? holding.vectors : null;
    },
    publish(changes) {
      for (const change of changes) {
        for (const holding of holdings.values()) {
          if (holding.modelId === change.modelId) apply(db, holding.vectors, change);
          else applyToOther(db, holding, change);
        }
      }
    },
    reread(keys) {
      for (const { modelId, vectors } of holdings.values()) {
        for (const key of keys) if (!readThing(db, modelId, key, vectors)) vectors.bury(key, key.rev);
      }
    },
    forget(modelId, keys) {
      const holding = holdings.get(modelId);
      if (holding?.share !== 'fresh') return 0;
      for (const key of keys) holding.vectors.forget(key, key.rev);
      return holding.vectors.rows();
    },
  };
}

/** A change of one model's vectors, as those of another see it: a new text leaves them without any until they are embedded again. */
function applyToOther(db: Sqlite.Database, { modelId, vectors }: Holding, change: VectorChange): void {
  if (change.vectors === null) vectors.bury(change, change.rev);
  else if (change.vectors === 'kept') apply(db, vectors, { ...change, modelId });
  else if ((vectors.revOf(change) ?? 0) < change.rev) vectors.bury(change, change.rev);
}

function apply(db: Sqlite.Database, vectors: ExactVectors, change: VectorChange): void {
  const thing = { ...change, projects: projectIdsToText(change.projectIds) };
  if (change.vectors === null) vectors.bury(change, change.rev);
  else if (change.vectors === 'kept') {
    if (!vectors.rekey(thing)) readThing(db, change.modelId, change, vectors);
  } else {
    const passages = change.vectors
      .filter(({ vector }) => vector.length === vectors.dimensions)
      .map(({ passage, vector }) => ({ passage, bytes: vectorToBlob(vector) }));
    vectors.put({ ...thing, passages });
  }
}

/** A joined row of the tables `vectors` and `searchables`. */
export type VectorRow = {
  rowid: number;
  kind: string;
  id: number;
  rev: number;
  userId: number;
  status: string;
  type: string;
  projects: string;
  passage: number;
  blob: Buffer;
};

/** A vector row belongs to a thing only while both name the same rev. */
export const selectVectorRows = `SELECT v.rowid AS rowid, v.kind, v.thing_id AS id, v.rev, s.user_id AS userId, s.status, s.type, s.projects, v.passage, v.blob
  FROM vectors v JOIN searchables s ON s.kind = v.kind AND s.thing_id = v.thing_id AND s.rev = v.rev`;

async function loadAll(db: Sqlite.Database, modelId: string, vectors: ExactVectors): Promise<void> {
  const slice = prepared<[string, number, number], VectorRow>(
    db,
    `${selectVectorRows} WHERE v.model_id = ? AND v.rowid > ? ORDER BY v.rowid LIMIT ?`,
  );
  let after = 0;
  for (;;) {
    const rows = slice.all(modelId, after, sliceRows);
    for (const row of rows) vectors.add(row, { passage: row.passage, bytes: row.blob });
    const last = rows.at(-1);
    if (last === undefined || rows.length < sliceRows) return;
    after = last.rowid;
    await otherQuestions();
  }
}

/** What the outbox lists: vectors, or tombstones where the thing is gone or has no vector of this rev. */
async function loadFresh(
  db: Sqlite.Database,
  modelId: string,
  vectors: ExactVectors,
  freshThings: string,
): Promise<void> {
  const pending = prepared<[], ThingKey & { rev: number }>(db, freshThings).all();
  for (const [index, key] of pending.entries()) {
    if (!readThing(db, modelId, key, vectors)) vectors.bury(key, key.rev);
    if (index % sliceRows === sliceRows - 1) await otherQuestions();
  }
}

/** Puts one thing as SQLite has it now; false where it has no vector. */
function readThing(db: Sqlite.Database, modelId: string, key: ThingKey, vectors: ExactVectors): boolean {
  const thing = thingRows(db, modelId, key);
  if (thing !== null) vectors.put(thing);
  return thing !== null;
}

/** The present rows of things, in their order; null where one has no vector of its present rev. */
export type ThingsReader = (
  db: Sqlite.Database,
  modelId: string,
  things: readonly ThingKey[],
) => readonly (ThingRows | null)[];

export const readThings: ThingsReader = (db, modelId, things) => things.map((key) => thingRows(db, modelId, key));

/** The present rows of a thing, or null where it has no vector of its present rev. */
export function thingRows(db: Sqlite.Database, modelId: string, key: ThingKey): ThingRows | null {
  const rows = prepared<[string, number, string], VectorRow>(
    db,
    `${selectVectorRows} WHERE v.kind = ? AND v.thing_id = ? AND v.model_id = ?`,
  ).all(key.kind, key.id, modelId);
  const [first] = rows;
  return first === undefined
    ? null
    : { ...first, passages: rows.map(({ passage, blob }) => ({ passage, bytes: blob })) };
}

function otherQuestions(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
