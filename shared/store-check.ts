/** What `locid --check` prints: the store as it lies on disk, looked at without a daemon and without changing a byte of it. */
export type StoreCheck = {
  /** `absent`: nothing was ever saved; `in_use`: a daemon owns it, so it was not opened; `unreadable`: `why` says what is in the way. */
  readonly store: 'absent' | 'in_use' | 'read' | 'unreadable';
  readonly why: string | null;
  /** Schema version of the file, and the newest that this program knows. */
  readonly schema: { readonly found: number; readonly known: number } | null;
  /** `ok`, or the first complaint. Null where it was not looked at. */
  readonly integrity: string | null;
  readonly keyword_index: string | null;
  /** Rows of vectors in the database, rows of the vector table (null where there is none), and changes that the table has yet to take in. */
  readonly vectors: { readonly stored: number; readonly table: number | null; readonly pending: number } | null;
  /** Of a team's database, where `storage.url` names one; null for a store of one machine. */
  readonly team: TeamCheck | null;
  /** The damaged file of the bundled model, or null. */
  readonly model: { readonly file: string; readonly reason: string } | null;
};

/** A team's database as it is found; all but `why` and `programs` is empty where it cannot be reached. */
export type TeamCheck = {
  /** Why it cannot be reached; null where it can. */
  readonly why: string | null;
  /** Major version of the server. */
  readonly server: number | null;
  readonly encoding: string | null;
  /** Migrations in it, and those that this program knows; null where there is no schema yet. */
  readonly schema: { readonly found: number; readonly known: number } | null;
  readonly vectors: { readonly stored: number; readonly pending: number } | null;
  /** Daemons with a connection, and which of them does the upkeep. */
  readonly daemons: number;
  readonly leader: string | null;
  /** Major versions of pg_dump on this machine, ascending. */
  readonly programs: readonly number[];
  /** What is derived and does not agree with what it is derived from. */
  readonly faults: readonly string[];
};
