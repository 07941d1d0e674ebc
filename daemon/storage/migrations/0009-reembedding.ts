// Which things have their vectors of another model already, while all are embedded anew with it. A row names the rev that was embedded:
// a thing that changed since is found by its missing row, so each save of the meantime is done again for the new model too.
import { type Kysely, sql } from 'kysely';

const statements = [
  `CREATE TABLE reembedded (
    kind TEXT NOT NULL,
    thing_id INTEGER NOT NULL,
    model_id TEXT NOT NULL,
    rev INTEGER NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('embedded', 'directionless', 'nothing')),
    PRIMARY KEY (kind, thing_id)
  ) WITHOUT ROWID`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
