// Candidates for the recap of a project: the newest, the most important and the pinned, a few dozen of each. The rooms weigh them.
import { prepared } from '../prepared.ts';
import type { ReaderQuery } from '../reader-query.ts';

const newest = 40;
const weightiest = 40;

export const projectHighlights: ReaderQuery<'projectHighlights'> = (db, { userId, projectId }) => {
  const active = `FROM memory_projects p CROSS JOIN memories m ON m.id = p.memory_id
    WHERE p.project_id = :projectId AND m.user_id = :userId AND m.status = 'active' AND m.category IS NULL`;
  const rows = prepared<object, { id: number }>(
    db,
    `SELECT id FROM (SELECT m.id ${active} ORDER BY m.updated_at DESC, m.id DESC LIMIT ${newest}) AS newest
      UNION
      SELECT id FROM (SELECT m.id ${active} ORDER BY m.pinned DESC, m.importance DESC, m.confidence DESC,
        COALESCE(m.last_accessed_at, m.updated_at) DESC, m.id DESC LIMIT ${weightiest}) AS weightiest`,
  ).all({ userId, projectId });
  return { ids: rows.map(({ id }) => id) };
};
