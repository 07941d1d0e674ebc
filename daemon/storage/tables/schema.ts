// Every table as Kysely types it. One file of more than 400 lines, because foreign keys and order are global.
// Times are integer milliseconds; lists and objects are JSON text; booleans are 0 and 1.
import type { Generated, Insertable, Selectable, Updateable } from 'kysely';

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

/** Where a thing comes from; a part of every kind of thing. */
export type ProvenanceColumns = {
  source_repo: string | null;
  source_files: Generated<string>;
  source_url: string | null;
  confidence: number | null;
  encoding_agent: string | null;
  encoding_version: string | null;
  agent_id: string | null;
  agent_version: string | null;
  agent_model: string | null;
};

export type ProjectsTable = ProvenanceColumns & {
  id: Generated<number>;
  uid: string;
  user_id: number;
  name: string;
  /** The name in NFKC, case-folded: how names are compared. */
  name_key: string;
  description: Generated<string>;
  project_type: Generated<string>;
  status: Generated<string>;
  memory_count: Generated<number>;
  last_saved_at: number | null;
  repo_name: string | null;
  /** The repository's identity, equal for every spelling of its address. */
  repo_key: string | null;
  last_encoding_point: string | null;
  notes: string | null;
  metadata: Generated<string>;
  created_at: number;
  updated_at: number;
};

export type ProjectAliasesTable = { user_id: number; alias_key: string; alias: string; project_id: number };

export type MemoriesTable = {
  id: Generated<number>;
  uid: string;
  user_id: number;
  /** Grows by one with each change of what is embedded or filtered by; vectors and outbox rows name the rev they belong to. */
  rev: Generated<number>;
  status: Generated<string>;
  type: string;
  /** Null where the title is derived from the content. */
  title: string | null;
  content: string;
  context: string | null;
  problem: string | null;
  solution: string | null;
  concepts: Generated<string>;
  tags: Generated<string>;
  files: Generated<string>;
  category: string | null;
  key: string | null;
  importance: Generated<number>;
  confidence: Generated<number>;
  provenance: Generated<string>;
  provenance_class: Generated<string>;
  tier: Generated<string>;
  source: string | null;
  source_context: string | null;
  source_repo: string | null;
  source_url: string | null;
  encoding_agent: string | null;
  encoding_version: string | null;
  agent_id: string | null;
  agent_version: string | null;
  agent_model: string | null;
  agent: string | null;
  session: string | null;
  sequence: number | null;
  author: string | null;
  branch: string | null;
  worktree: string | null;
  pinned: Generated<number>;
  primary_project_id: number | null;
  content_hash: string;
  access_count: Generated<number>;
  last_accessed_at: number | null;
  created_at: number;
  updated_at: number;
  occurred_at: number;
  valid_from: number | null;
  valid_to: number | null;
  expires_at: number | null;
  obsolete_reason: string | null;
  obsoleted_at: number | null;
  superseded_by: number | null;
  metadata: Generated<string>;
};

export type MemoryProjectsTable = { memory_id: number; project_id: number; position: number };

export type MemoryHistoryTable = {
  memory_id: number;
  version: number;
  user_id: number;
  action: string;
  agent: string | null;
  recorded_from: number;
  recorded_to: number;
  snapshot: string;
};

export type MemoryLinksTable = {
  user_id: number;
  source_id: number;
  target_id: number;
  origin: Generated<string>;
  created_at: number;
};

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
export type MemoryCountsTable = { user_id: number; status: string; memories: number };

export type ThingLinksTable = {
  user_id: number;
  from_kind: string;
  from_id: number;
  to_kind: string;
  to_id: number;
  created_at: number;
};

/** Memories that an undone consolidation set free: they are not united again. */
export type KeptApartTable = { memory_id: number; undone_at: number };

/** Which memories were united into which, whatever became of them since. */
export type UnitedMemoriesTable = { heir_id: number; member_id: number; united_by: 'merge' | 'summary' | 'hand' };

/** Memory files that a stub stands for. */
export type CompressedFilesTable = {
  /** Absolute, symbolic links resolved. */
  path: string;
  user_id: number;
  memory_id: number;
  original: Buffer;
  /** SHA-256 of the stub: a file with another one was changed since and is left alone. */
  stub_hash: string;
  compressed_at: number;
};

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

/** Columns of documents, code artifacts, files and skills alike. */
export type ThingColumns = ProvenanceColumns & {
  id: Generated<number>;
  uid: string;
  user_id: number;
  project_id: number | null;
  tags: string;
  /** The tags case-folded, in their order: how they are compared. */
  tag_keys: string;
  created_at: number;
  updated_at: number;
};

export type DocumentsTable = ThingColumns & {
  title: string;
  description: string;
  document_type: string;
  /** The type case-folded. */
  type_key: string;
  filename: string | null;
  size_bytes: number;
  content: string;
};

export type DocumentPassagesTable = {
  document_id: number;
  passage: number;
  start_at: number;
  end_at: number;
  headings: string;
};

export type CodeArtifactsTable = ThingColumns & {
  title: string;
  description: string;
  language: string;
  framework: string | null;
  version: string | null;
  code: string;
};

export type FilesTable = ThingColumns & {
  filename: string;
  description: string;
  mime_type: string;
  /** The MIME type case-folded. */
  type_key: string;
  size_bytes: number;
  sha256: string;
};

export type FileContentsTable = { file_id: number; bytes: Buffer };

export type ThingTagsTable = { kind: string; tag_key: string; thing_id: number };

export type SkillsTable = ThingColumns & {
  name: string;
  description: string;
  license: string | null;
  compatibility: string | null;
  allowed_tools: string;
  importance: number;
  metadata: string;
  content: string;
};

export type EntitiesTable = Omit<ThingColumns, 'project_id'> & {
  rev: Generated<number>;
  name: string;
  entity_type: string;
  custom_type: string | null;
  aka: string;
  /** The name case-folded. */
  name_key: string;
  /** Name and other names, case-folded, a line each. */
  search_keys: string;
  notes: string | null;
  metadata: string;
};

export type EntityRelationshipsTable = ProvenanceColumns & {
  id: Generated<number>;
  uid: string;
  user_id: number;
  source_id: number;
  target_id: number;
  relationship_type: string;
  strength: number | null;
  metadata: string;
  created_at: number;
  updated_at: number;
};

export type PlansTable = {
  id: Generated<number>;
  uid: string;
  user_id: number;
  project_id: number;
  title: string;
  goal: string | null;
  context: string | null;
  status: string;
  external_ref: string | null;
  /** JSON of the fields that say where it comes from. */
  provenance: Generated<string>;
  created_at: number;
  updated_at: number;
};

export type TasksTable = {
  id: Generated<number>;
  uid: string;
  user_id: number;
  plan_id: number;
  title: string;
  description: string | null;
  state: Generated<string>;
  priority: string;
  assigned_agent: string | null;
  /** Begins at 1; every change of the task, its criteria or its dependencies adds 1. */
  version: Generated<number>;
  /** Dependencies that are neither done nor cancelled; kept by triggers. */
  unmet: Generated<number>;
  lease_expires_at: number | null;
  provenance: Generated<string>;
  created_at: number;
  updated_at: number;
};

export type CriteriaTable = {
  id: Generated<number>;
  task_id: number;
  description: string;
  met: Generated<number>;
  met_at: number | null;
  created_at: number;
  updated_at: number;
};

export type TaskDependenciesTable = {
  id: Generated<number>;
  task_id: number;
  depends_on_id: number;
  created_at: number;
};

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

/** When each field of a merged memory was last written, by word of the export format. */
export type MemoryMergesTable = { memory_id: number; times: string };
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

export type Tables = {
  users: UsersTable;
  projects: ProjectsTable;
  project_aliases: ProjectAliasesTable;
  memories: MemoriesTable;
  memory_projects: MemoryProjectsTable;
  memory_history: MemoryHistoryTable;
  memory_links: MemoryLinksTable;
  searchables: SearchablesTable;
  vectors: VectorsTable;
  outbox: OutboxTable;
  reembedded: ReembeddedTable;
  change_log: ChangeLogTable;
  idempotent_answers: IdempotentAnswersTable;
  job_runs: JobRunsTable;
  store_facts: StoreFactsTable;
  memory_counts: MemoryCountsTable;
  kept_apart: KeptApartTable;
  united_memories: UnitedMemoriesTable;
  compressed_files: CompressedFilesTable;
  thing_links: ThingLinksTable;
  shown_memories: ShownMemoriesTable;
  swept_transcripts: SweptTranscriptsTable;
  swept_statements: SweptStatementsTable;
  taken_files: TakenFilesTable;
  documents: DocumentsTable;
  document_passages: DocumentPassagesTable;
  code_artifacts: CodeArtifactsTable;
  files: FilesTable;
  file_contents: FileContentsTable;
  thing_tags: ThingTagsTable;
  skills: SkillsTable;
  entities: EntitiesTable;
  entity_relationships: EntityRelationshipsTable;
  plans: PlansTable;
  tasks: TasksTable;
  criteria: CriteriaTable;
  task_dependencies: TaskDependenciesTable;
  imports: ImportsTable;
  memory_merges: MemoryMergesTable;
  tokens: TokensTable;
  quarantined_memories: QuarantinedMemoriesTable;
  injections: InjectionsTable;
};

export type MemoryRow = Selectable<MemoriesTable>;
export type ChangeLogRow = Selectable<ChangeLogTable>;
export type NewMemoryRow = Insertable<MemoriesTable>;
export type MemoryPatch = Updateable<MemoriesTable>;
