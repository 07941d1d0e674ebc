// What the schema has on PostgreSQL alone: the functions of SQLite that our SQL uses, the keyword index as a `tsvector` kept in the
// transaction of its row, the numbers by which other daemons follow, and the few triggers whose bodies cannot be said for both engines.
import { channel } from './connection.ts';

/** Made before the first migration. `stem` is Porter's, of the lengths (bytes) that FTS5 stems. */
export const firstParts: readonly string[] = [
  'CREATE TEXT SEARCH DICTIONARY loci_stem (TEMPLATE = snowball, Language = porter)',
  `CREATE FUNCTION stem(token text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT CASE WHEN octet_length(token) BETWEEN 3 AND 64
      THEN coalesce((ts_lexize('loci.loci_stem', token))[1], token) ELSE token END $$`,
  `CREATE FUNCTION instr(whole text, part text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT strpos(whole, part) $$`,
  `CREATE FUNCTION max(a double precision, b double precision) RETURNS double precision LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT CASE WHEN a IS NULL OR b IS NULL THEN NULL ELSE greatest(a, b) END $$`,
  `CREATE FUNCTION min(a double precision, b double precision) RETURNS double precision LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT CASE WHEN a IS NULL OR b IS NULL THEN NULL ELSE least(a, b) END $$`,
  `CREATE FUNCTION log2(x double precision) RETURNS double precision LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT ln(x) / ln(2.0::double precision) $$`,
  `CREATE FUNCTION json_each(list text) RETURNS TABLE (value text) LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT json_array_elements_text(list::json) $$`,
  `CREATE FUNCTION json_extract(document text, path text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT document::json #>> string_to_array(substr(path, 3), '.') $$`,
];

/** Made once, right after the migration of that name. */
export const partsAfter: Readonly<Record<string, readonly string[]>> = {
  '0001-memories': [
    "SELECT setval(pg_get_serial_sequence('users', 'id'), 1)",
    'ALTER TABLE vectors ADD COLUMN rowid BIGINT GENERATED ALWAYS AS IDENTITY',
    'CREATE INDEX vectors_in_order ON vectors(model_id, rowid)',
    'ALTER TABLE vectors ALTER COLUMN blob SET STORAGE EXTERNAL', // floats do not compress

    // the keyword index
    "ALTER TABLE searchables ADD COLUMN words tsvector NOT NULL DEFAULT ''",
    "ALTER TABLE searchables ADD COLUMN frequencies jsonb NOT NULL DEFAULT '{}'",
    'ALTER TABLE searchables ADD COLUMN length BIGINT NOT NULL DEFAULT 0',
    // the words of the four columns, cut (tokens.ts), a line each; gone once they are indexed
    "ALTER TABLE searchables ADD COLUMN tokens TEXT NOT NULL DEFAULT ''",
    'CREATE INDEX searchables_words ON searchables USING gin(words) WITH (fastupdate = off)',
    'CREATE TABLE search_terms (word TEXT COLLATE "C" PRIMARY KEY, holders BIGINT NOT NULL) WITH (fillfactor = 70)',
    'CREATE TABLE search_totals (id BIGINT PRIMARY KEY, rows BIGINT NOT NULL, length BIGINT NOT NULL) WITH (fillfactor = 20)',
    'INSERT INTO search_totals VALUES (1, 0, 0)',
    // weights of the columns as in bm25() of the FTS5 index; `a_b` is a pair of neighbours and no word of its own
    `CREATE FUNCTION index_words() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE lexemes text[]; counts jsonb; tokens bigint;
      BEGIN
        WITH found AS (
          SELECT stem(t.token) AS lexeme, c.weight, strpos(t.token, '_') = 0 AS is_word
            FROM (VALUES (split_part(NEW.tokens, E'\\n', 1), 3), (split_part(NEW.tokens, E'\\n', 2), 1),
              (split_part(NEW.tokens, E'\\n', 3), 1), (split_part(NEW.tokens, E'\\n', 4), 2)) AS c(text, weight),
              LATERAL string_to_table(c.text, ' ') AS t(token)
            WHERE t.token <> ''
        ), counted AS (
          SELECT lexeme, sum(weight) AS frequency, count(*) FILTER (WHERE is_word) AS words FROM found GROUP BY lexeme
        )
        SELECT array_agg(lexeme), jsonb_object_agg(lexeme, frequency) FILTER (WHERE frequency > 1), sum(words)
          INTO lexemes, counts, tokens FROM counted;
        NEW.words := coalesce(array_to_tsvector(lexemes), ''::tsvector);
        NEW.frequencies := coalesce(counts, '{}'::jsonb);
        NEW.length := coalesce(tokens, 0);
        NEW.tokens := '';
        RETURN NEW;
      END $$`,
    `CREATE TRIGGER index_words BEFORE INSERT OR UPDATE OF tokens ON searchables
      FOR EACH ROW EXECUTE FUNCTION index_words()`,
    `CREATE FUNCTION count_words() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP <> 'INSERT' THEN
          UPDATE search_terms SET holders = holders - 1 WHERE word = ANY (tsvector_to_array(OLD.words));
          DELETE FROM search_terms WHERE word = ANY (tsvector_to_array(OLD.words)) AND holders <= 0;
          UPDATE search_totals SET rows = rows - 1, length = length - OLD.length;
        END IF;
        IF TG_OP <> 'DELETE' THEN
          INSERT INTO search_terms (word, holders) SELECT w, 1 FROM unnest(tsvector_to_array(NEW.words)) AS w
            ON CONFLICT (word) DO UPDATE SET holders = search_terms.holders + 1;
          UPDATE search_totals SET rows = rows + 1, length = length + NEW.length;
        END IF;
        RETURN NULL;
      END $$`,
    `CREATE TRIGGER count_words AFTER INSERT OR DELETE OR UPDATE OF tokens ON searchables
      FOR EACH ROW EXECUTE FUNCTION count_words()`,

    // what other daemons follow: every row says whose it is, and the outbox, which no vector table empties here, is numbered by change
    "ALTER TABLE change_log ADD COLUMN origin TEXT NOT NULL DEFAULT current_setting('application_name')",
    'CREATE SEQUENCE outbox_seq',
    'ALTER TABLE outbox ADD COLUMN seq BIGINT NOT NULL DEFAULT 0',
    "ALTER TABLE outbox ADD COLUMN origin TEXT NOT NULL DEFAULT ''",
    'CREATE INDEX outbox_in_order ON outbox(seq)',
    `CREATE FUNCTION number_outbox() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.seq := nextval('outbox_seq'); NEW.origin := current_setting('application_name'); RETURN NEW;
      END $$`,
    'CREATE TRIGGER number_outbox BEFORE INSERT OR UPDATE ON outbox FOR EACH ROW EXECUTE FUNCTION number_outbox()',
    `CREATE FUNCTION tell_daemons() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_notify('${channel}', ''); RETURN NULL; END $$`,
    'CREATE TRIGGER tell_outbox AFTER INSERT OR UPDATE ON outbox FOR EACH STATEMENT EXECUTE FUNCTION tell_daemons()',
    'CREATE TRIGGER tell_change_log AFTER INSERT ON change_log FOR EACH STATEMENT EXECUTE FUNCTION tell_daemons()',
  ],
};

/** Triggers of the migrations by name, as they are here; an empty list where something else takes their place. */
export const replacedTriggers: Readonly<Record<string, string[]>> = {
  searchables_inserted: [],
  searchables_deleted: [],
  searchables_reworded: [],
  memories_counted_in: rowTrigger('memories_counted_in', 'AFTER INSERT ON memories', countIn),
  memories_counted_out: rowTrigger(
    'memories_counted_out',
    'AFTER DELETE ON memories',
    'UPDATE memory_counts SET memories = memories - 1 WHERE user_id = OLD.user_id AND status = OLD.status;',
  ),
  memories_counted_over: rowTrigger(
    'memories_counted_over',
    'AFTER UPDATE OF status ON memories',
    `IF OLD.status <> NEW.status THEN
      UPDATE memory_counts SET memories = memories - 1 WHERE user_id = OLD.user_id AND status = OLD.status;
      ${countIn()}
      UPDATE projects SET memory_count = memory_count + (NEW.status = 'active')::int - (OLD.status = 'active')::int
        WHERE id IN (SELECT project_id FROM memory_projects WHERE memory_id = NEW.id);
    END IF;`,
  ),
  memory_projects_counted_in: rowTrigger(
    'memory_projects_counted_in',
    'AFTER INSERT ON memory_projects',
    `UPDATE projects SET
      memory_count = memory_count + coalesce((SELECT (status = 'active')::int FROM memories WHERE id = NEW.memory_id), 0),
      last_saved_at = greatest(coalesce(last_saved_at, 0), coalesce((SELECT updated_at FROM memories WHERE id = NEW.memory_id), 0))
      WHERE id = NEW.project_id;`,
  ),
  memory_projects_counted_out: rowTrigger(
    'memory_projects_counted_out',
    'AFTER DELETE ON memory_projects',
    `UPDATE projects SET
      memory_count = memory_count - coalesce((SELECT (status = 'active')::int FROM memories WHERE id = OLD.memory_id), 0)
      WHERE id = OLD.project_id;`,
  ),
  // A row may not be changed by what its own removal sets off, so here the counting comes after it. By then a removed task's state cannot
  // be asked any more: the second trigger counts for its edges, and its name puts it before the cascade that removes them.
  unmet_removed: rowTrigger(
    'unmet_removed',
    'AFTER DELETE ON task_dependencies',
    `IF (SELECT state FROM tasks WHERE id = OLD.depends_on_id) NOT IN ('done', 'cancelled') THEN
      UPDATE tasks SET unmet = unmet - 1 WHERE id = OLD.task_id;
    END IF;`,
  ),
  unmet_deleted: rowTrigger(
    'A_unmet_deleted',
    'AFTER DELETE ON tasks',
    `IF OLD.state NOT IN ('done', 'cancelled') THEN
      UPDATE tasks SET unmet = unmet - 1 WHERE id IN (SELECT task_id FROM task_dependencies WHERE depends_on_id = OLD.id);
    END IF;`,
  ),
};

function countIn(): string {
  return `INSERT INTO memory_counts(user_id, status, memories) VALUES (NEW.user_id, NEW.status, 1)
      ON CONFLICT (user_id, status) DO UPDATE SET memories = memory_counts.memories + 1;`;
}

function rowTrigger(name: string, event: string, body: string | (() => string)): string[] {
  const statements = typeof body === 'string' ? body : body();
  return [
    `CREATE FUNCTION "${name}"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${statements} RETURN NULL; END $$`,
    `CREATE TRIGGER "${name}" ${event} FOR EACH ROW EXECUTE FUNCTION "${name}"()`,
  ];
}
