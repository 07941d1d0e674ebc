// Every table as Kysely types it, by name.
// Times are integer milliseconds; lists and objects are JSON text; booleans are 0 and 1.

import type {
  CompressedFilesTable,
  KeptApartTable,
  MemoriesTable,
  MemoryCountsTable,
  MemoryHistoryTable,
  MemoryLinksTable,
  MemoryMergesTable,
  MemoryProjectsTable,
  UnitedMemoriesTable,
} from './memories.ts';
import type { CriteriaTable, PlansTable, TaskDependenciesTable, TasksTable } from './plans.ts';
import type { OutboxTable, ReembeddedTable, SearchablesTable, VectorsTable } from './searchables.ts';
import type {
  InjectionsTable,
  QuarantinedMemoriesTable,
  ShownMemoriesTable,
  SweptStatementsTable,
  SweptTranscriptsTable,
  TakenFilesTable,
} from './sessions.ts';
import type {
  ChangeLogTable,
  IdempotentAnswersTable,
  ImportsTable,
  JobRunsTable,
  StoreFactsTable,
  TokensTable,
  UsersTable,
} from './store.ts';
import type {
  CodeArtifactsTable,
  DocumentPassagesTable,
  DocumentsTable,
  EntitiesTable,
  EntityRelationshipsTable,
  FieldTimesTable,
  FileContentsTable,
  FilesTable,
  ProjectAliasesTable,
  ProjectsTable,
  SkillsTable,
  ThingCountsTable,
  ThingLinksTable,
  ThingTagsTable,
} from './things.ts';

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
  thing_counts: ThingCountsTable;
  field_times: FieldTimesTable;
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
