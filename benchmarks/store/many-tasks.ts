// Thousands of tasks in one transaction, past the API: a call each would wait for the disk each time.
import Sqlite from 'better-sqlite3';

export type ManyTasks = {
  readonly databaseFile: string;
  readonly planId: number;
  readonly count: number;
  /** Each task waits for the one before it. */
  readonly isChain: boolean;
};

/** Adds tasks to a plan of user 1; their ids follow each other. */
export function addManyTasks({ databaseFile, planId, count, isChain }: ManyTasks): void {
  const database = new Sqlite(databaseFile);
  database.pragma('busy_timeout = 5000');
  const task = database.prepare(
    `INSERT INTO tasks (uid, user_id, plan_id, title, priority, created_at, updated_at)
     VALUES (@uid, 1, @planId, @title, @priority, 0, 0)`,
  );
  const edge = database.prepare(
    'INSERT INTO task_dependencies (task_id, depends_on_id, created_at) VALUES (@id, @before, 0)',
  );
  database.transaction(() => {
    let before: number | bigint | null = null;
    for (let index = 1; index <= count; index += 1) {
      const title = `task ${index}`;
      const { lastInsertRowid: id } = task.run({ uid: `many-${planId}-${index}`, planId, title, priority: 'P2' });
      if (isChain && before !== null) edge.run({ id, before });
      before = id;
    }
  })();
  database.close();
}
