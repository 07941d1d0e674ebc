// A home whose memories have lived: most have faded, some far, some have expired, and every tenth says what another says in nearly the
// same words. Made from a filled home by moving times in its database before a daemon opens it, because no operation can.
import Sqlite from 'better-sqlite3';
import { resolvePaths } from '#shared/paths.ts';
import { copyFilledHome } from './filled-home.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Copies a filled home to `home` and ages it. */
export async function copyFadedHome(memories: number, home: string, say: (sentence: string) => void): Promise<void> {
  await copyFilledHome(memories, home, say);
  const db = new Sqlite(resolvePaths({ LOCI_HOME: home }).database);
  const nowMs = Date.now();
  const age = db.prepare('UPDATE memories SET created_at = ?, updated_at = ? WHERE id % 20 = ?');
  db.transaction(() => {
    // of twenty: thirteen have faded (a save does after 104 days), three so far that clean-up takes them, one has expired
    for (let rest = 0; rest < 13; rest += 1) age.run(nowMs - (110 + rest) * dayMs, nowMs - 110 * dayMs, rest);
    for (let rest = 13; rest < 16; rest += 1) age.run(nowMs - 220 * dayMs, nowMs - 220 * dayMs, rest);
    db.prepare('UPDATE memories SET expires_at = ? WHERE id % 20 = 16').run(nowMs - dayMs);
    makeAlike(db);
  })();
  db.close();
}

/** Gives every tenth memory project, type and vector of the one before it, and a text that differs in its last words alone. */
function makeAlike(db: Sqlite.Database): void {
  db.exec(`
    CREATE TEMP TABLE pairs AS SELECT m.id AS id, m.id - 1 AS twin FROM memories m WHERE m.id % 10 = 3;
    UPDATE memories SET
      type = (SELECT t.type FROM memories t WHERE t.id = memories.id - 1),
      primary_project_id = (SELECT t.primary_project_id FROM memories t WHERE t.id = memories.id - 1),
      content = (SELECT t.content FROM memories t WHERE t.id = memories.id - 1) || ' So it was agreed.'
      WHERE id IN (SELECT id FROM pairs);
    DELETE FROM memory_projects WHERE memory_id IN (SELECT id FROM pairs);
    INSERT INTO memory_projects(memory_id, project_id, position)
      SELECT pairs.id, p.project_id, p.position FROM pairs JOIN memory_projects p ON p.memory_id = pairs.twin;
    UPDATE vectors SET blob = (SELECT v.blob FROM vectors v WHERE v.kind = 'memory' AND v.thing_id = vectors.thing_id - 1
        AND v.model_id = vectors.model_id AND v.passage = 0)
      WHERE kind = 'memory' AND passage = 0 AND thing_id IN (SELECT id FROM pairs);
    DROP TABLE pairs;
  `);
}
