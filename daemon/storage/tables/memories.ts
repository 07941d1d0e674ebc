// Memories, what they were, and what ties them together.
import type { Generated, Insertable, Selectable, Updateable } from 'kysely';

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

export type MemoryCountsTable = { user_id: number; status: string; memories: number };

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

/** When each field of a merged memory was last written, by word of the export format. */
export type MemoryMergesTable = { memory_id: number; times: string };

export type MemoryRow = Selectable<MemoriesTable>;

export type NewMemoryRow = Insertable<MemoriesTable>;

export type MemoryPatch = Updateable<MemoriesTable>;
