// Whether each memory of a store is where searches look, row by row: in the keyword index, whose words are compared with the texts, and
// among the vectors of the active model at its own rev. Read from the file itself, by ids and not by counts.
import Sqlite from 'better-sqlite3';

export type IndexedIds = {
  readonly memories: number;
  /** Ids that are in one of the two and not in the other. */
  readonly withoutWords: number;
  readonly withoutVector: number;
  readonly isKeywordIndexSound: boolean;
};

/** Looks at the database of a daemon that has stopped. */
export function compareIds(file: string): IndexedIds {
  const db = new Sqlite(file, { fileMustExist: true });
  try {
    const idsOf = (sql: string): Set<number> => new Set(db.prepare<[], number>(sql).pluck().all());
    const memories = idsOf('SELECT id FROM memories');
    const words = idsOf(
      `SELECT s.thing_id FROM searchables s JOIN search_words_docsize d ON d.id = s.id WHERE s.kind = 'memory'`,
    );
    const vectors = idsOf(
      `SELECT v.thing_id FROM vectors v JOIN searchables s ON s.kind = v.kind AND s.thing_id = v.thing_id AND s.rev = v.rev
        WHERE v.kind = 'memory' AND v.passage = 0
          AND v.model_id = (SELECT model_id FROM vectors GROUP BY model_id ORDER BY count(*) DESC LIMIT 1)`,
    );
    return {
      memories: memories.size,
      withoutWords: differences(memories, words),
      withoutVector: differences(memories, vectors),
      isKeywordIndexSound: isSound(db),
    };
  } finally {
    db.close();
  }
}

function differences(one: ReadonlySet<number>, other: ReadonlySet<number>): number {
  const missing = (from: ReadonlySet<number>, of: ReadonlySet<number>) =>
    [...from].reduce((count, id) => count + (of.has(id) ? 0 : 1), 0);
  return missing(one, other) + missing(other, one);
}

/** FTS5 itself compares its index with the texts that it is of. */
function isSound(db: Sqlite.Database): boolean {
  try {
    db.exec(`INSERT INTO search_words(search_words, rank) VALUES ('integrity-check', 1)`);
    return true;
  } catch {
    return false;
  }
}
