import type { CallContext } from '#daemon/kernel/context.ts';
import { implement, type Operation } from '#daemon/kernel/operation.ts';
import type { ActivityFilter, Reader } from '#daemon/storage/reader.ts';
import { parseInstant } from '#shared/contract/common.ts';
import { getActivityHistory, listActivity } from '#shared/contract/knowledge/activity.ts';
import { actionToWords } from './actions.ts';
import { rowToEvent } from './event-words.ts';

type Page = { readonly limit: number; readonly offset: number };

export function activityOperations(deps: { readonly reader: Reader }): Operation[] {
  return [
    implement(listActivity, async (input, context) =>
      pageOf(deps.reader, input, {
        ...everything(context),
        kind: input.entity_type ?? null,
        thingId: input.entity_id ?? null,
        actions: input.action === undefined ? null : actionToWords(input.action),
        actor: input.actor ?? null,
        actorId: input.actor_id ?? null,
        sinceMs: input.since === undefined ? null : parseInstant(input.since),
        untilMs: input.until === undefined ? null : parseInstant(input.until),
      }),
    ),
    implement(getActivityHistory, async (input, context) =>
      pageOf(deps.reader, input, { ...everything(context), kind: input.entity_type, thingId: input.entity_id }),
    ),
  ];
}

function everything({ userId }: CallContext): ActivityFilter {
  return {
    userId,
    kind: null,
    thingId: null,
    actions: null,
    actor: null,
    actorId: null,
    sinceMs: null,
    untilMs: null,
  };
}

async function pageOf(reader: Reader, { limit, offset }: Page, filter: ActivityFilter) {
  const { rows, total } = await reader.ask('activityPage', { filter, limit, offset });
  const events = rows.map(rowToEvent);
  return { events, total, total_count: total, limit, offset, has_more: offset + events.length < total };
}
