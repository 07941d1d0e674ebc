// Answers of the last questions, good until the store is written to: a search asks for its keywords while the query is embedded
// and again when it is, and agents repeat their queries.
import type Sqlite from 'better-sqlite3';
import { prepared } from '../prepared.ts';
import type { ReaderDatabase } from '../reader-query.ts';

const keptAnswers = 32;

const recentByDatabase = new WeakMap<Sqlite.Database, { version: string; answers: Map<string, unknown> }>();

/**
 * The answer that `compute` gave to the same question since the last write, else a new one. `question` must be plain data; `version` is
 * asked for where it is not known yet.
 */
export function recentAnswer<Answer>(
  db: ReaderDatabase,
  question: unknown,
  compute: () => Answer,
  version: string = storeVersion(db),
): Answer {
  let recent = recentByDatabase.get(db);
  if (recent === undefined || recent.version !== version) {
    recent = { version, answers: new Map() };
    recentByDatabase.set(db, recent);
  }
  const key = JSON.stringify(question);
  const known = recent.answers.get(key);
  if (known !== undefined) return known as Answer;
  const answer = compute();
  const oldest = recent.answers.keys().next();
  if (recent.answers.size >= keptAnswers && oldest.done !== true) recent.answers.delete(oldest.value);
  recent.answers.set(key, answer);
  return answer;
}

/** Changes with every write, whichever connection makes it. */
export function storeVersion(db: ReaderDatabase): string {
  if (db.storeVersion !== undefined) return db.storeVersion();
  const others = prepared(db, 'PRAGMA data_version').pluck().get();
  return `${others}:${prepared(db, 'SELECT total_changes()').pluck().get()}`;
}
