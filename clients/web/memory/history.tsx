// Every version of a memory, what changed between two of them, and the way back to one.
import { useSignal } from '@preact/signals';
import type { memoryDiff, memoryHistory, memoryRevert } from '#shared/contract/history.ts';
import type { OutputOf } from '#shared/contract/operation.ts';
import { act } from '../actions.ts';
import { call } from '../api.ts';
import { useLoaded, Waiting } from '../parts/loaded.tsx';
import { Text } from '../parts/text.tsx';
import { Ago } from '../parts/time.tsx';
import { mayWrite } from '../session.ts';
import { DiffText } from './diff-text.tsx';
import type { MemoryRecord } from './memory-record.ts';

type Version = OutputOf<typeof memoryHistory>['versions'][number];

export function History({ memory }: { memory: MemoryRecord }) {
  const isOpen = useSignal(false);
  return (
    <details
      class="part"
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open;
      }}
    >
      <summary>
        History: {memory.history} earlier {memory.history === 1 ? 'version' : 'versions'}
      </summary>
      {isOpen.value && <Versions id={memory.id} count={memory.history + 1} />}
    </details>
  );
}

function Versions({ id, count }: { id: number; count: number }) {
  const { loaded, again } = useLoaded(
    (signal) => call<typeof memoryHistory>('memory_history', { id }, signal),
    [id, count],
  );
  if (loaded.value.state !== 'ready') return <Waiting loaded={loaded.value} again={again} />;
  return (
    <ol class="versions">
      {loaded.value.value.versions.map((version) => (
        <VersionLine key={version.version} id={id} version={version} />
      ))}
    </ol>
  );
}

function VersionLine({ id, version }: { id: number; version: Version }) {
  const isOpen = useSignal(false);
  const isPresent = version.recorded_to === null;
  return (
    <li>
      <p>
        <strong>Version {version.version}</strong> {isPresent ? 'the present one' : `until ${version.action}`}{' '}
        <span class="muted">
          <Ago at={version.recorded_to ?? version.recorded_from} />
          {version.agent !== null && (
            <>
              {' '}
              by <Text of={version.agent} />
            </>
          )}
        </span>
      </p>
      <p class="excerpt-lines">
        <Text of={version.content.slice(0, 300)} />
      </p>
      <div class="actions">
        {version.version > 1 && (
          <button
            type="button"
            aria-expanded={isOpen.value}
            onClick={() => {
              isOpen.value = !isOpen.value;
            }}
          >
            What changed
          </button>
        )}
        {!isPresent && mayWrite() && (
          <button type="button" onClick={() => void revert(id, version.version)}>
            Bring back version {version.version}
          </button>
        )}
      </div>
      {isOpen.value && <Difference id={id} to={version.version} />}
    </li>
  );
}

function Difference({ id, to }: { id: number; to: number }) {
  const { loaded, again } = useLoaded(
    (signal) => call<typeof memoryDiff>('memory_diff', { id, from: to - 1, to }, signal),
    [id, to],
  );
  if (loaded.value.state !== 'ready') return <Waiting loaded={loaded.value} again={again} />;
  const { changes } = loaded.value.value;
  if (changes.length === 0) return <p class="muted">Nothing that is shown.</p>;
  return (
    <dl class="differences">
      {changes.map((change) => (
        <div key={change.field}>
          <dt>{change.field}</dt>
          <dd>
            <DiffText before={valueText(change.old)} after={valueText(change.new)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function revert(id: number, to: number): Promise<boolean> {
  return act([id], `Memory ${id} is back at version ${to}.`, async () => {
    const { history } = await call<typeof memoryRevert>('memory_revert', { id, to });
    return () => call<typeof memoryRevert>('memory_revert', { id, to: history });
  });
}
