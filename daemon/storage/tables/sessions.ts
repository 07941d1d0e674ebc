// What agents were shown, and what was taken from their sessions.
import type { Generated } from 'kysely';

export type ShownMemoriesTable = {
  user_id: number;
  session: string;
  memory_id: number;
  content_hash: string;
  shown_at: number;
};

export type SweptTranscriptsTable = {
  user_id: number;
  path: string;
  /** SHA-256 of the first bytes: another file of the same name has another one. */
  head_hash: string;
  /** Bytes of a file, or the time of the last message in a database. */
  position: number;
  line: number;
  swept_at: number;
};

export type SweptStatementsTable = { user_id: number; hash: string; swept_at: number };

export type TakenFilesTable = {
  user_id: number;
  path: string;
  memory_id: number;
  text_hash: string;
  taken_at: number;
};

/** Memories whose text speaks to the model rather than about something: they are injected only after somebody released them. */
export type QuarantinedMemoriesTable = {
  memory_id: number;
  user_id: number;
  /** Of the text that was judged: another text is judged anew. */
  content_hash: string;
  /** JSON list. */
  reasons: string;
  verdict: Generated<string>;
  found_at: number;
  judged_at: Generated<number | null>;
};

export type InjectionsTable = {
  id: Generated<number>;
  user_id: number;
  memory_id: number;
  occasion: string;
  agent: string | null;
  session: string | null;
  folder: string | null;
  injected_at: number;
};
