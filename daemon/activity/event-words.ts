import { toUtc } from '#daemon/kernel/clock.ts';
import type { ChangeRow } from '#daemon/storage/change-log.ts';
import type { ActivityEvent } from '#shared/contract/knowledge/activity.ts';
import { wordToAction } from './actions.ts';

/** A row of the log in the words of the catalogue. */
export function rowToEvent(row: ChangeRow): ActivityEvent {
  return {
    id: row.seq,
    seq: row.seq,
    user_id: row.user_id,
    entity_type: row.kind,
    entity_id: row.thing_id,
    action: wordToAction(row.action),
    detail: row.action,
    changes: parsed(row.changes) as ActivityEvent['changes'],
    snapshot: parsed(row.snapshot) as ActivityEvent['snapshot'],
    actor: row.actor,
    actor_id: row.actor_id,
    metadata: (parsed(row.metadata) ?? {}) as ActivityEvent['metadata'],
    created_at: toUtc(row.created_at),
  };
}

function parsed(json: string | null): unknown {
  return json === null ? null : JSON.parse(json);
}
