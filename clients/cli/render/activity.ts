import { type ActivityEvent, getActivityHistory, listActivity } from '#shared/contract/knowledge/activity.ts';
import { ageOf } from './age.ts';
import { type Rendered, rendererFor } from './rendered.ts';
import type { View } from './style.ts';
import { table } from './table.ts';

type Listed = {
  readonly events: readonly ActivityEvent[];
  readonly total: number;
  readonly offset: number;
  readonly has_more: boolean;
};

export const listActivityRenderer = rendererFor(listActivity, eventTable);
export const activityHistoryRenderer = rendererFor(getActivityHistory, eventTable);

function eventTable(output: Listed, view: View): Rendered {
  const { events } = output;
  const rest = output.total - output.offset - events.length;
  return {
    result:
      events.length === 0
        ? ''
        : table(
            [
              { head: 'SEQ', align: 'right', paint: view.style.cyan },
              { head: 'AGE', align: 'right' },
              { head: 'WHAT' },
              { head: 'DONE' },
              { head: 'BY' },
              { head: 'CHANGES' },
            ],
            events.map((event) => [
              String(event.seq),
              ageOf(event.created_at, view.nowMs),
              event.entity_id === 0 ? event.entity_type : `${event.entity_type} #${event.entity_id}`,
              event.detail,
              event.actor_id ?? event.actor,
              changesText(event),
            ]),
            view,
          ),
    notices: [
      ...(events.length === 0 ? ['Nothing happened.'] : []),
      ...(output.has_more ? [`${rest} more: use --offset.`] : []),
    ],
  };
}

function changesText({ changes }: ActivityEvent): string {
  return Object.entries(changes ?? {})
    .map(([field, change]) => `${field}: ${JSON.stringify(change.old)} → ${JSON.stringify(change.new)}`)
    .join('; ');
}
