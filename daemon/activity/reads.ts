// Reads in the log, for an owner who asked for them (`activity.track_reads`). They are told from the operation's name and answer, at
// the one place that every call passes, so that no room has to remember to.
import type { Clock } from '#daemon/kernel/clock.ts';
import type { CallContext } from '#daemon/kernel/context.ts';
import type { Events } from '#daemon/kernel/events.ts';
import { isRecord } from '#daemon/kernel/is-record.ts';
import type { Logger } from '#daemon/kernel/logger.ts';
import { withoutPrivateSpans } from '#daemon/secrets/private-spans.ts';
import { redactSecrets } from '#daemon/secrets/redact.ts';
import { type Change, changeToEvent, recordChanges } from '#daemon/storage/change-log.ts';
import type { Database } from '#daemon/storage/sqlite.ts';

export type ReadsDeps = {
  readonly database: Database;
  readonly events: Pick<Events, 'announce'>;
  readonly clock: Clock;
  readonly logger: Logger;
};

/** Records one read or query; a failure to do so is logged and costs the reader nothing. */
export type RecordRead = (operation: string, input: unknown, output: unknown, context: CallContext) => Promise<void>;

/** Operations that show one thing whole, and what kind it is of. */
const shown: Readonly<Record<string, string>> = {
  memory_get: 'memory',
  get_memory: 'memory',
  get_project: 'project',
  get_document: 'document',
  get_code_artifact: 'code_artifact',
  get_entity: 'entity',
  get_plan: 'plan',
  get_task: 'task',
  get_file: 'file',
  get_skill: 'skill',
};

/** Operations that look for many. */
const asked: Readonly<Record<string, string>> = {
  memory_search: 'memory',
  query_memory: 'memory',
  get_recent_memories: 'memory',
  search_everything: 'memory',
  list_projects: 'project',
  list_documents: 'document',
  list_code_artifacts: 'code_artifact',
  list_entities: 'entity',
  search_entities: 'entity',
  list_plans: 'plan',
  query_tasks: 'task',
  list_files: 'file',
  list_skills: 'skill',
  search_skills: 'skill',
};

export function createReadRecorder(deps: ReadsDeps): RecordRead {
  return async (operation, input, output, context) => {
    const change = readToChange(operation, input, output);
    if (change === null) return;
    try {
      const log = await deps.database.write({ ...context, claim: null }, (trx) =>
        recordChanges(trx, context, deps.clock, [change]),
      );
      for (const row of log) deps.events.announce(changeToEvent(row));
    } catch (error) {
      deps.logger.warn({ err: error, operation }, 'a read could not be recorded');
    }
  };
}

function readToChange(operation: string, input: unknown, output: unknown): Change | null {
  if (!isRecord(output) || !isRecord(input)) return null;
  const one = shown[operation];
  if (one !== undefined) {
    return typeof output.id === 'number' ? { kind: one, thingId: output.id, action: 'read' } : null;
  }
  const isFactQuery = operation === 'memory' && (input.action === 'search' || input.action === 'list');
  const many = isFactQuery ? 'memory' : asked[operation];
  if (many === undefined) return null;
  const query = typeof input.query === 'string' ? { query: redactSecrets(withoutPrivateSpans(input.query)).text } : {};
  return { kind: many, thingId: 0, action: 'queried', metadata: { operation, ...query } };
}
