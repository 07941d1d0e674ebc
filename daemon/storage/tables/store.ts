// Users, tokens, and what the store keeps about itself.
import type { Generated, Selectable } from 'kysely';

export type UsersTable = {
  id: Generated<number>;
  uid: string;
  name: string;
  email: string | null;
  notes: string | null;
  /** Issuer and subject of the one who came with a token of an issuer. */
  identity: Generated<string | null>;
  /** Null until something of the user changed. */
  updated_at: number | null;
  created_at: number;
};

export type ChangeLogTable = {
  seq: Generated<number>;
  user_id: number;
  kind: string;
  thing_id: number;
  action: string;
  actor: string;
  actor_id: string | null;
  changes: string | null;
  snapshot: string | null;
  metadata: Generated<string>;
  created_at: number;
};

export type IdempotentAnswersTable = {
  user_id: number;
  key: string;
  operation: string;
  body_hash: string;
  thing_id: number | null;
  answer: string;
  created_at: number;
};

export type JobRunsTable = {
  id: Generated<number>;
  job: string;
  started_at: number;
  finished_at: number | null;
  outcome: string;
  counts: Generated<string>;
  error: string | null;
};

export type StoreFactsTable = { key: string; value: string };

/** One import and how far it is; `position` is the last staged record of `pass` that was applied. */
export type ImportsTable = {
  id: Generated<number>;
  uid: string;
  user_id: number;
  source: string | null;
  /** Names the project that records without one go to. */
  project: string | null;
  dry_run: Generated<number>;
  skip_invalid: Generated<number>;
  state: string;
  pass: Generated<number>;
  position: Generated<number>;
  total: Generated<number>;
  report: Generated<string>;
  created_at: number;
  updated_at: number;
};

export type TokensTable = {
  id: Generated<number>;
  user_id: number;
  name: string;
  /** SHA-256 of the token, in hex. */
  hash: string;
  /** Words separated by spaces. */
  scopes: string;
  created_at: number;
  expires_at: number | null;
  last_used_at: Generated<number | null>;
  revoked_at: Generated<number | null>;
};

export type ChangeLogRow = Selectable<ChangeLogTable>;
