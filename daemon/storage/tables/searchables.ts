// What is searched, and how it gets to the vectors' other home.
import type { Generated } from 'kysely';

export type SearchablesTable = {
  id: Generated<number>;
  kind: string;
  thing_id: number;
  user_id: number;
  status: string;
  type: string;
  /** Project ids between commas, `,3,17,`; `,` for none. */
  projects: Generated<string>;
  session: string | null;
  rev: number;
  /** How many passages the text has. */
  passages: Generated<number>;
  /** 1 once every passage of this rev has a vector of the active model. */
  embedded: Generated<number>;
  title: Generated<string>;
  body: Generated<string>;
  labels: Generated<string>;
  meta: Generated<string>;
  /** JSON of what ranking needs and no query could compute cheaply: words, question, code, speaker, sequence. */
  features: Generated<string>;
};

export type VectorsTable = {
  kind: string;
  thing_id: number;
  model_id: string;
  passage: number;
  rev: number;
  /** Little-endian float32, L2-normalised. */
  blob: Buffer;
};

/** Things whose present rev has its vectors of the model that is to come. */
export type ReembeddedTable = {
  kind: string;
  thing_id: number;
  model_id: string;
  rev: number;
  /** `directionless`: the model gave zeros; `nothing`: there is no text. */
  outcome: 'embedded' | 'directionless' | 'nothing';
};

export type OutboxTable = { kind: string; thing_id: number; rev: number; enqueued_at: number };
