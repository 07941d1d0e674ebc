// Lists of entities, and the search for a part of a name. A part is looked for literally (`instr`, no pattern), so that `a_b` and `100%`
// mean themselves; names and other names stand folded in one column, a line each.
import { prepared } from '../prepared.ts';
import type { ReaderQuery } from '../reader-query.ts';

export const entityPage: ReaderQuery<'entityPage'> = (db, question) => {
  const { text, limit, offset } = question;
  const { sql, parameters, isAll } = condition(question);
  const order = text === null ? 'e.created_at DESC, e.id DESC' : `${nearness} , length(e.name_key), e.name_key, e.id`;
  const ids = prepared(db, `SELECT e.id FROM entities e WHERE ${sql} ORDER BY ${order} LIMIT :limit OFFSET :offset`)
    .pluck()
    .all({ ...parameters, limit, offset }) as number[];
  const total = prepared(db, isAll ? allEntities : `SELECT count(*) FROM entities e WHERE ${sql}`)
    .pluck()
    .get(parameters) as number;
  return { ids, total };
};

const allEntities = "SELECT coalesce(sum(things), 0) FROM thing_counts WHERE user_id = :userId AND kind = 'entity'";

/** The whole name first, then another whole name, then what begins with the text. */
const nearness = `CASE
  WHEN e.name_key = :text THEN 0
  WHEN instr(char(10) || e.search_keys || char(10), char(10) || :text || char(10)) > 0 THEN 1
  WHEN instr(char(10) || e.search_keys, char(10) || :text) > 0 THEN 2
  ELSE 3 END`;

function condition({ userId, text, entityType, tagKeys, projectIds }: Parameters<typeof entityPage>[1]) {
  const conditions = ['e.user_id = :userId'];
  const parameters: Record<string, string | number> = { userId };
  if (text !== null) {
    conditions.push('instr(e.search_keys, :text) > 0');
    parameters.text = text;
  }
  if (entityType !== null) {
    conditions.push('e.entity_type = :entityType');
    parameters.entityType = entityType;
  }
  if (tagKeys.length > 0) {
    conditions.push(`e.id IN (SELECT g.thing_id FROM thing_tags g
      WHERE g.kind = 'entity' AND g.tag_key IN (SELECT value FROM json_each(:tagKeys)))`);
    parameters.tagKeys = JSON.stringify(tagKeys);
  }
  if (projectIds !== null) {
    conditions.push(`EXISTS (SELECT 1 FROM thing_links l WHERE l.from_kind = 'entity' AND l.from_id = e.id
      AND l.to_kind = 'project' AND l.to_id IN (SELECT CAST(value AS BIGINT) FROM json_each(:projectIds)))`);
    parameters.projectIds = JSON.stringify(projectIds);
  }
  return { sql: conditions.join(' AND '), parameters, isAll: conditions.length === 1 };
}
