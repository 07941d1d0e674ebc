// For the migration that makes a table of things: the table's tags are kept in `thing_tags` too, by triggers, so that no writer can forget it.

/** Statements that keep the tags of a table with the columns `id` and `tag_keys` (folded, a JSON list) under `kind`. */
export function tagTriggers(kind: string, table: string): string[] {
  const add = `INSERT OR IGNORE INTO thing_tags(kind, tag_key, thing_id) SELECT '${kind}', value, new.id FROM json_each(new.tag_keys)`;
  const remove = `DELETE FROM thing_tags WHERE kind = '${kind}' AND thing_id = old.id AND tag_key IN (SELECT value FROM json_each(old.tag_keys))`;
  return [
    `CREATE TRIGGER ${table}_tagged AFTER INSERT ON ${table} BEGIN ${add}; END`,
    `CREATE TRIGGER ${table}_retagged AFTER UPDATE OF tag_keys ON ${table} WHEN new.tag_keys <> old.tag_keys BEGIN ${remove}; ${add}; END`,
    `CREATE TRIGGER ${table}_untagged AFTER DELETE ON ${table} BEGIN ${remove}; END`,
  ];
}
