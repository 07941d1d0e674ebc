// What happened, day by day, and what happens now.
import { useEffect } from 'preact/hooks';
import type { ActivityEvent } from '#shared/contract/knowledge/activity.ts';
import { listen, liveState } from '../live.ts';
import { Empty, Waiting } from '../parts/loaded.tsx';
import { Text } from '../parts/text.tsx';
import { clockTime, dayName, wholeTime } from '../parts/time.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { hrefOf, replaceRoute, route } from '../route.ts';
import { has } from '../session.ts';
import { addEvent, fetchMore, openTimeline, timeline, titles } from './events.ts';

type Row = { readonly day: string } | { readonly event: ActivityEvent };

const kinds = ['memory', 'project', 'document', 'entity', 'plan', 'task', 'skill', 'file', 'link'];

const liveWords = { off: 'not live', open: 'live', broken: 'not live: the stream is being opened again' } as const;

export function TimelineView() {
  const kind = route.value.query.get('kind');
  useEffect(() => void openTimeline(kind), [kind]);
  useEffect(() => listen(addEvent), []);
  const now = timeline.value;
  if (!has('list_activity')) {
    return (
      <Empty>
        <p>
          The activity log is turned off: set <code>categories.activity</code> to true.
        </p>
      </Empty>
    );
  }
  return (
    <div class="stack">
      <div class="view-head">
        <h1>Timeline</h1>
        <label class="inline">
          Kind
          <select
            value={kind ?? ''}
            onChange={(event) => replaceRoute(hrefOf('timeline', null, { kind: event.currentTarget.value }))}
          >
            <option value="">everything</option>
            {kinds.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <p class="muted" role="status">
          {now === null ? '' : `${now.total.toLocaleString()} changes, `}
          {liveWords[liveState.value]}
        </p>
      </div>
      {now === null && <Waiting loaded={{ state: 'loading' }} again={() => undefined} />}
      {now?.failed != null && (
        <Waiting loaded={{ state: 'failed', why: now.failed }} again={() => void openTimeline(kind)} />
      )}
      {now !== null && now.failed === null && now.events.length === 0 && (
        <Empty>
          <p>Nothing has happened yet.</p>
          <p class="muted">What agents and you save, change and archive stands here as it happens.</p>
        </Empty>
      )}
      {now !== null && now.events.length > 0 && <Days events={now.events} total={now.total} kind={kind} />}
    </div>
  );
}

function Days({ events, total, kind }: { events: readonly ActivityEvent[]; total: number; kind: string | null }) {
  const rows = toRows(events);
  return (
    <VirtualList
      label="What happened"
      count={rows.length}
      rowRem={2.6}
      onRange={(_from, to) => {
        if (to >= rows.length && events.length < total) void fetchMore(kind);
      }}
      row={(index) => <Line row={rows[index]} />}
    />
  );
}

function Line({ row }: { row: Row | undefined }) {
  if (row === undefined) return null;
  if ('day' in row) return <h2 class="day">{row.day}</h2>;
  const { event } = row;
  return (
    <div class="event">
      <time dateTime={event.created_at} title={wholeTime(event.created_at)}>
        {clockTime(event.created_at)}
      </time>
      <span class={`did ${event.action}`}>{event.detail}</span>
      <span class="what">
        <What event={event} />
      </span>
      <span class="muted who">{event.actor_id === null ? event.actor : <Text of={event.actor_id} />}</span>
    </div>
  );
}

function What({ event }: { event: ActivityEvent }) {
  const name = nameOf(event);
  const href = hrefOfThing(event);
  const text = (
    <>
      <Text of={name} />{' '}
      <span class="muted">
        {event.entity_type} {event.entity_id > 0 && `#${event.entity_id}`}
      </span>
    </>
  );
  return href === null ? text : <a href={href}>{text}</a>;
}

function hrefOfThing({ entity_type: kind, entity_id: id, detail }: ActivityEvent): string | null {
  if (kind === 'memory') return detail === 'purged' ? null : hrefOf('memory', id);
  if (kind === 'plan') return hrefOf('plans', id);
  return ['entity', 'project', 'document'].includes(kind) ? hrefOf('graph', null, { node: `${kind}_${id}` }) : null;
}

/** What a thing is called: by its snapshot, by what is known of it, or not at all. */
function nameOf({ entity_type: kind, entity_id: id, snapshot, changes, metadata }: ActivityEvent): string {
  const known = kind === 'memory' ? titles.value.get(id) : undefined;
  const told = known ?? snapshot?.title ?? snapshot?.name ?? snapshot?.filename ?? snapshot?.content;
  if (typeof told === 'string' && told !== '') return told.length > 160 ? `${told.slice(0, 160)}…` : told;
  if (changes !== null) return Object.keys(changes).join(', ');
  return Object.entries(metadata)
    .filter(([field]) => field.endsWith('_id'))
    .map(([field, value]) => `${field.replace(/_id$/, '')} ${value}`)
    .join(' – ');
}

function toRows(events: readonly ActivityEvent[]): Row[] {
  const nowMs = Date.now();
  const rows: Row[] = [];
  let last = '';
  for (const event of events) {
    const day = dayName(event.created_at, nowMs);
    if (day !== last) rows.push({ day });
    last = day;
    rows.push({ event });
  }
  return rows;
}
