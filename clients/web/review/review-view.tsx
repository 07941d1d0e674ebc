// What waits for a person's decision: pairs of memories that may contradict each other. Each decision can be undone.
import { signal } from '@preact/signals';
import type { memoryConflicts, memorySettle } from '#shared/contract/browse.ts';
import type { OutputOf } from '#shared/contract/operation.ts';
import type { listQuarantined } from '#shared/contract/trust.ts';
import { act, archive, update } from '../actions.ts';
import { call } from '../api.ts';
import { DiffText } from '../memory/diff-text.tsx';
import { Empty, useLoaded, Waiting } from '../parts/loaded.tsx';
import { Text } from '../parts/text.tsx';
import { Ago } from '../parts/time.tsx';
import { hrefOf } from '../route.ts';
import { mergeMemories } from '../search/merge-dialog.tsx';
import { has, mayWrite } from '../session.ts';
import { type Held, HeldBack } from './held-back.tsx';

type Conflict = OutputOf<typeof memoryConflicts>['conflicts'][number];
type Line = Conflict['newer'];

/** Pairs under decision, so that two clicks decide once. */
const underWay = signal<ReadonlySet<string>>(new Set());

type Waits = { readonly conflicts: readonly Conflict[]; readonly hasMore: boolean; readonly held: readonly Held[] };

export function ReviewView() {
  const { loaded, again } = useLoaded(readWaiting, []);
  const now = loaded.value;
  return (
    <div class="stack scroll">
      <div class="view-head">
        <h1>Review</h1>
        <p class="muted" role="status">
          {now.state === 'ready' && countedText(now.value)}
        </p>
      </div>
      {now.state !== 'ready' && <Waiting loaded={now} again={again} />}
      {now.state === 'ready' && now.value.conflicts.length + now.value.held.length === 0 && (
        <Empty>
          <p>Nothing waits for a decision.</p>
          <p class="muted">
            When a new memory nearly says what an older one says and differs in a number, a name or a “not”, both are
            kept and stand here. So does what speaks to the reader, before any agent is shown it.
          </p>
        </Empty>
      )}
      {now.state === 'ready' && <HeldBack held={now.value.held} />}
      {now.state === 'ready' && now.value.conflicts.length > 0 && (
        <section aria-label="Possible conflicts">
          <h2 class="day">Possible conflicts</h2>
          <ul class="conflicts">
            {now.value.conflicts.map((conflict) => (
              <Pair key={keyOf(conflict)} conflict={conflict} />
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

async function readWaiting(signal: AbortSignal): Promise<Waits> {
  const [{ conflicts, has_more: hasMore }, { memories: held }] = await Promise.all([
    call<typeof memoryConflicts>('memory_conflicts', {}, signal),
    has('list_quarantined')
      ? call<typeof listQuarantined>('list_quarantined', {}, signal)
      : Promise.resolve({ memories: [] }),
  ]);
  return { conflicts, hasMore, held };
}

function countedText({ conflicts, hasMore, held }: Waits): string {
  const pairs = `${conflicts.length}${hasMore ? ' or more' : ''} possible ${conflicts.length === 1 ? 'conflict' : 'conflicts'}`;
  return held.length === 0 ? pairs : `${held.length} held back, ${pairs}`;
}

function Pair({ conflict }: { conflict: Conflict }) {
  const { newer, older } = conflict;
  const isBusy = underWay.value.has(keyOf(conflict));
  const choices: readonly (readonly [label: string, run: () => Promise<boolean>])[] = [
    ['Newer replaces older', () => supersede(newer.id, older.id)],
    ['Older holds: archive newer', () => archive(newer.id)],
    ['Keep both', () => keepBoth(newer.id, older.id)],
    ['Merge into newer', () => mergeMemories(newer.id, older.id)],
  ];
  return (
    <li class="conflict" aria-label={`Memory ${newer.id} or ${older.id}`}>
      <div class="sides">
        <Side name="Older" line={older} />
        <Side name="Newer" line={newer} />
      </div>
      <DiffText before={older.excerpt} after={newer.excerpt} />
      {mayWrite() && (
        <div class="actions">
          {choices.map(([label, run]) => (
            <button key={label} type="button" disabled={isBusy} onClick={() => void decide(conflict, run)}>
              {label}
            </button>
          ))}
        </div>
      )}
    </li>
  );
}

function Side({ name, line }: { name: string; line: Line }) {
  return (
    <p>
      <strong>{name}</strong>{' '}
      <a href={hrefOf('memory', line.id)}>
        #{line.id} <Text of={line.title} />
      </a>{' '}
      <span class="muted">
        {line.agent !== null && (
          <>
            <Text of={line.agent} />,{' '}
          </>
        )}
        <Ago at={line.created_at} />
      </span>
    </p>
  );
}

async function decide(conflict: Conflict, run: () => Promise<boolean>): Promise<void> {
  const key = keyOf(conflict);
  underWay.value = new Set([...underWay.value, key]);
  await run();
  underWay.value = new Set([...underWay.value].filter((one) => one !== key));
}

function supersede(id: number, replaced: number): Promise<boolean> {
  return act([id, replaced], `Memory ${id} replaces ${replaced}.`, async () => {
    await update(id, { supersedes: [replaced] });
    return () => update(replaced, { status: 'active' });
  });
}

function keepBoth(id: number, other: number): Promise<boolean> {
  const settle = (settled: boolean) => call<typeof memorySettle>('memory_settle', { id, with: other, settled });
  return act([id, other], `Memories ${id} and ${other} both hold.`, async () => {
    await settle(true);
    return () => settle(false);
  });
}

function keyOf({ newer, older }: Conflict): string {
  return `${newer.id} ${older.id}`;
}
