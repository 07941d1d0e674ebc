// After tables were put together from two states: what points to nothing is dropped, what is counted is counted anew, what is derived is
// derived anew or marked for it.
import type Sqlite from 'better-sqlite3';
import { recountThings } from '../migrations/0012-list-totals.ts';

/** Kinds that have a searchable row, and their tables. */
const searchableKinds: Readonly<Record<string, string>> = {
  memory: 'memories',
  document: 'documents',
  code_artifact: 'code_artifacts',
  skill: 'skills',
  entity: 'entities',
};

/** In one transaction of the caller's. Answers the memories whose words are not indexed as they stand. */
export function mendReferences(db: Sqlite.Database): { userId: number; id: number }[] {
  dropDangling(db);
  for (const [kind, table] of Object.entries(searchableKinds)) {
    for (const about of ['searchables', 'vectors', 'reembedded']) {
      db.prepare(`DELETE FROM ${about} WHERE kind = ? AND thing_id NOT IN (SELECT id FROM "${table}")`).run(kind);
    }
  }
  db.exec(`
    DELETE FROM memory_counts;
    INSERT INTO memory_counts(user_id, status, memories) SELECT user_id, status, count(*) FROM memories GROUP BY 1, 2;
    DELETE FROM thing_counts;
    ${recountThings}
    UPDATE projects SET memory_count = (
      SELECT count(*) FROM memory_projects p JOIN memories m ON m.id = p.memory_id
        WHERE p.project_id = projects.id AND m.status = 'active'
    );
    UPDATE searchables SET embedded = 0 WHERE embedded = 1 AND NOT EXISTS (
      SELECT 1 FROM vectors v JOIN store_facts f ON f.key = 'embedding.model' AND f.value = v.model_id
        WHERE v.kind = searchables.kind AND v.thing_id = searchables.thing_id AND v.rev = searchables.rev
    );
    DELETE FROM outbox;
    INSERT INTO search_words(search_words) VALUES ('rebuild');
  `);
  return db
    .prepare(`SELECT m.user_id AS userId, m.id FROM memories m
      LEFT JOIN searchables s ON s.kind = 'memory' AND s.thing_id = m.id AND s.rev = m.rev
      WHERE s.id IS NULL AND m.status = 'active'`)
    .all() as { userId: number; id: number }[];
}

/** As the schema would have it: a reference that may be null becomes null, a row that cannot be without it goes. */
function dropDangling(db: Sqlite.Database): void {
  const tables = db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all() as { name: string }[];
  for (let round = 0; round < 10; round += 1) {
    let changed = 0;
    for (const { name } of tables) {
      const keys = db.pragma(`foreign_key_list("${name}")`) as {
        table: string;
        from: string;
        to: string;
        on_delete: string;
      }[];
      for (const { table, from, to, on_delete } of keys) {
        const where = `WHERE "${from}" IS NOT NULL AND "${from}" NOT IN (SELECT "${to}" FROM "${table}")`;
        const sql =
          on_delete === 'SET NULL'
            ? `UPDATE "${name}" SET "${from}" = NULL ${where}`
            : `DELETE FROM "${name}" ${where}`;
        changed += db.prepare(sql).run().changes;
      }
    }
    if (changed === 0) return;
  }
}
