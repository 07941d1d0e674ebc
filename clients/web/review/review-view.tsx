// What waits for a person's decision: pairs of memories that may contradict each other. Each decision can be undone.
import { signal } from '@preact/signals';
import type { memoryConflicts, memorySettle } from '#shared/contract/browse.ts';
import type { OutputOf } from '#shared/contract/operation.ts';
import { act, archive, update } from '../actions.ts';
import { call } from '../api.ts';
import { DiffText } from '../memory/diff-text.tsx';
import { Empty, useLoaded, Waiting } from '../parts/loaded.tsx';
import { Text } from '../parts/text.tsx';
import { Ago } from '../parts/time.tsx';
import { hrefOf } from '../route.ts';
import { mergeMemories } from '../search/merge-dialog.tsx';
import { mayWrite } from '../session.ts';

type Conflict = OutputOf<typeof memoryConflicts>['conflicts'][number];
type Line = Conflict['newer'];

/** Pairs under decision, so that two clicks decide once. */
const underWay = signal<ReadonlySet<string>>(new Set());

export function ReviewView() {
  const { loaded, again } = useLoaded((signal) => call<typeof memoryConflicts>('memory_conflicts', {}, signal), []);
  const now = loaded.value;
  return (
    <div class="stack scroll">
      <div class="view-head">
        <h1>Review</h1>
        <p class="muted" role="status">
          {now.state === 'ready' &&
            `${now.value.conflicts.length}${now.value.has_more ? ' or more' : ''} possible ${
              now.value.conflicts.length === 1 ? 'conflict' : 'conflicts'
            }`}
        </p>
      </div>
      {now.state !== 'ready' && <Waiting loaded={now} again={again} />}
      {now.state === 'ready' && now.value.conflicts.length === 0 && (
        <Empty>
          <p>Nothing waits for a decision.</p>
          <p class="muted">
            When a new memory nearly says what an older one says and differs in a number, a name or a “not”, both are
            kept and stand here.
          </p>
        </Empty>
      )}
      {now.state === 'ready' && (
        <ul class="conflicts">
          {now.value.conflicts.map((conflict) => (
            <Pair key={keyOf(conflict)} conflict={conflict} />
          ))}
        </ul>
      )}
    </div>
  );
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
