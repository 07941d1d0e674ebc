// One memory: what it says, where it comes from, what became of it, and what can be done with it.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { memoryGet } from '#shared/contract/lifecycle.ts';
import { archive, pin, restore } from '../actions.ts';
import { call } from '../api.ts';
import { memoryChanges } from '../changes.ts';
import { addKeys } from '../parts/keys.ts';
import { useLoaded, Waiting } from '../parts/loaded.tsx';
import { Prose, Text } from '../parts/text.tsx';
import { goTo, hrefOf } from '../route.ts';
import type { Hit } from '../search/find.ts';
import { has, mayWrite } from '../session.ts';
import { EditForm } from './edit-form.tsx';
import { History } from './history.tsx';
import type { MemoryRecord } from './memory-record.ts';
import { Provenance } from './provenance.tsx';
import { PurgeDialog } from './purge-dialog.tsx';
import { Score } from './score.tsx';
import { Shown } from './shown.tsx';
import { Ties } from './ties.tsx';

export type MemoryPaneProps = {
  readonly id: number;
  readonly query?: string;
  readonly hit?: Hit | null;
  readonly onClose?: () => void;
};

export function MemoryPane({ id, query = '', hit = null, onClose }: MemoryPaneProps) {
  const { loaded, again } = useLoaded(
    (signal) => call<typeof memoryGet>('memory_get', { id }, signal),
    [id],
    memoryChanges.value.get(id) ?? 0,
  );
  const now = loaded.value;
  return (
    <article class="pane" aria-label={`Memory ${id}`}>
      {onClose !== undefined && (
        <button type="button" class="quiet close-pane" onClick={onClose}>
          Close <kbd>Esc</kbd>
        </button>
      )}
      {now.state === 'ready' ? (
        <Opened key={id} memory={now.value} query={query} hit={hit} />
      ) : (
        <Waiting loaded={now} again={again} />
      )}
    </article>
  );
}

function Opened({ memory, query, hit }: { memory: MemoryRecord; query: string; hit: Hit | null }) {
  const isEditing = useSignal(false);
  const isErasing = useSignal(false);
  const canWrite = mayWrite();
  const { id } = memory;
  const flip = (): void => {
    void (memory.status === 'active' ? archive(id) : restore(id, memory.status));
  };
  useEffect(() => {
    const graph = { g: () => goTo(hrefOf('graph', null, { node: `memory_${id}` })) };
    if (!canWrite) return addKeys(graph);
    return addKeys({
      ...graph,
      e: () => {
        isEditing.value = true;
      },
      p: () => void pin(id, !memory.pinned),
      a: flip,
    });
  }, [memory]);
  if (isEditing.value) {
    return (
      <EditForm
        memory={memory}
        onClose={() => {
          isEditing.value = false;
        }}
      />
    );
  }
  return (
    <>
      <h2>
        <Text of={memory.title} query={query} />
      </h2>
      <p class="facts">
        <span class="kind">{memory.type}</span>
        <span class={memory.status === 'active' ? '' : 'state'}>{memory.status}</span>
        {memory.tier === 'core' && <span>core</span>}
        {memory.pinned && <span class="pin">pinned</span>}
        {memory.project !== null && (
          <a href={hrefOf('search', null, { project: memory.project })}>
            <Text of={memory.project} />
          </a>
        )}
        <span>#{id}</span>
      </p>
      {canWrite && (
        <div class="actions">
          <button
            type="button"
            onClick={() => {
              isEditing.value = true;
            }}
          >
            Edit <kbd>e</kbd>
          </button>
          <button type="button" onClick={() => void pin(id, !memory.pinned)}>
            {memory.pinned ? 'Unpin' : 'Pin'} <kbd>p</kbd>
          </button>
          <button type="button" onClick={flip}>
            {memory.status === 'active' ? 'Archive' : 'Restore'} <kbd>a</kbd>
          </button>
          <button
            type="button"
            class="danger"
            onClick={() => {
              isErasing.value = true;
            }}
          >
            Erase …
          </button>
        </div>
      )}
      <Words memory={memory} query={query} />
      {hit !== null && <Score hit={hit} />}
      <Provenance memory={memory} />
      <Ties memory={memory} />
      {has('list_injections') && <Shown id={id} />}
      <History memory={memory} />
      {isErasing.value && (
        <PurgeDialog
          ids={[id]}
          onClose={() => {
            isErasing.value = false;
          }}
        />
      )}
    </>
  );
}

function Words({ memory, query }: { memory: MemoryRecord; query: string }) {
  const parts = [
    ['Context', memory.context],
    ['Problem', memory.problem],
    ['Solution', memory.solution],
  ] as const;
  return (
    <>
      <div class="prose" dir="auto">
        <Text of={memory.content} query={query} />
      </div>
      {parts
        .filter((part): part is readonly [(typeof part)[0], string] => part[1] !== null && part[1] !== '')
        .map(([name, text]) => (
          <section key={name}>
            <h3>{name}</h3>
            <Prose of={text} />
          </section>
        ))}
    </>
  );
}
