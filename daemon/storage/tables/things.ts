// Projects and the things of the knowledge catalogue.
import type { Generated } from 'kysely';

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

/** How many things of a kind a user has, as triggers keep it. */
export type ThingCountsTable = { user_id: number; kind: string; things: number };

/** When a field was written after its thing was made; `rest` is every field without a row. */
export type FieldTimesTable = { kind: string; thing_id: number; field: string; written_at: number };

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

export type ThingLinksTable = {
  user_id: number;
  from_kind: string;
  from_id: number;
  to_kind: string;
  to_id: number;
  created_at: number;
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
