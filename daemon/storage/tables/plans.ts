// Plans, their tasks, and who holds them.
import type { Generated } from 'kysely';

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
