// OpenCode keeps its sessions in SQLite. The file is opened read-only, so that neither its bytes nor its write-ahead log are touched while
// OpenCode works on it. A position is the time of the last message that was read.
import Sqlite from 'better-sqlite3';
import { isRecord } from '#daemon/kernel/is-record.ts';
import { LociError } from '#shared/errors.ts';
import {
  maxNamedSkips,
  type SkippedLine,
  type Transcript,
  type TranscriptMessage,
  type TranscriptPosition,
} from './transcript.ts';

export type OpenCodeOptions = {
  /** The one that was worked on last, unless given. */
  readonly session: string | null;
  readonly from: TranscriptPosition | null;
};

type Row = {
  readonly id: string;
  readonly session_id: string;
  readonly time_created: number;
  readonly message: string;
  readonly part: string;
};

/** A part that is longer is tool output or a file, not what somebody said. */
const maxPartChars = 2 ** 20;

export function readOpenCode(path: string, { session, from }: OpenCodeOptions): Transcript & { close(): void } {
  const db = openReadOnly(path);
  const { id, directory } = sessionIn(db, session);
  const headHash = `opencode:${id}`;
  const start = from?.headHash === headHash ? from : { position: 0, line: 0 };
  const skippedLines: SkippedLine[] = [];
  let skipped = 0;
  let { position, line } = start;

  function* messages(): Generator<TranscriptMessage> {
    // `data` is asked for by length first: a row is read into memory whole
    const rows = db.prepare<[string, string, number, number], Row>(
      `SELECT m.id, m.session_id, m.time_created, m.data AS message, p.data AS part
        FROM message m JOIN part p ON p.message_id = m.id
        WHERE (m.session_id = ? OR m.session_id IN (SELECT id FROM session WHERE parent_id = ?)) AND m.time_created > ?
          AND length(p.data) < ? AND p.data LIKE '%"type":"text"%'
        ORDER BY m.time_created, m.id, p.id`,
    );
    let last = '';
    for (const row of rows.iterate(id, id, start.position, maxPartChars)) {
      if (row.id !== last) line += 1;
      last = row.id;
      position = Math.max(position, row.time_created);
      const said = saidIn(row);
      if (said === null) {
        skipped += 1;
        if (skippedLines.length < maxNamedSkips) skippedLines.push({ line, why: 'is no JSON' });
      } else if (said.text !== '') {
        const role = row.session_id === id ? said.role : 'assistant';
        yield { role, text: said.text, atMs: row.time_created, line };
      }
    }
  }

  return {
    format: 'opencode',
    messages,
    end: () => ({ position: { headHash, position, line }, folder: directory, session: id, skipped, skippedLines }),
    close: () => db.close(),
  };
}

function openReadOnly(path: string): Sqlite.Database {
  try {
    const db = new Sqlite(path, { readonly: true, fileMustExist: true, timeout: 2_000 });
    db.pragma('query_only = ON');
    return db;
  } catch {
    throw new LociError('invalid_input', 'The path does not lead to a database of OpenCode.', {
      path: 'is no such file',
    });
  }
}

function sessionIn(db: Sqlite.Database, session: string | null): { id: string; directory: string | null } {
  try {
    const found = db
      .prepare<[string | null, string | null], { id: string; directory: string | null }>(
        `SELECT id, directory FROM session WHERE (? IS NULL AND parent_id IS NULL) OR id = ?
          ORDER BY time_updated DESC LIMIT 1`,
      )
      .get(session, session);
    if (found !== undefined) return found;
  } catch {
    throw new LociError('invalid_input', 'The path does not lead to a database of OpenCode.', {
      path: 'is no such file',
    });
  }
  throw new LociError('not_found', 'There is no such session in this database of OpenCode.', { session: 'is unknown' });
}

/** Null for what cannot be read; an empty text for what nobody said. */
function saidIn({ message, part }: Row): { role: 'user' | 'assistant'; text: string } | null {
  try {
    const head: unknown = JSON.parse(message);
    const body: unknown = JSON.parse(part);
    if (!isRecord(head) || !isRecord(body)) return null;
    const isSaid =
      body.type === 'text' && typeof body.text === 'string' && body.synthetic !== true && body.ignored !== true;
    return { role: head.role === 'user' ? 'user' : 'assistant', text: isSaid ? String(body.text) : '' };
  } catch {
    return null;
  }
}
