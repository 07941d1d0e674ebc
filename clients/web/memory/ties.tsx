import type { memoryList } from '#shared/contract/browse.ts';
import { call } from '../api.ts';
import { useLoaded, Waiting } from '../parts/loaded.tsx';
import { Text } from '../parts/text.tsx';
import { hrefOf } from '../route.ts';
import type { MemoryRecord } from './memory-record.ts';

/** What a memory is tied to: other memories, people and things. */
export function Ties({ memory }: { memory: MemoryRecord }) {
  const { links, entities } = memory;
  return (
    <details class="part" open={links.length + entities.length > 0}>
      <summary>
        Ties: {links.length} {links.length === 1 ? 'memory' : 'memories'}, {entities.length}{' '}
        {entities.length === 1 ? 'entity' : 'entities'}
      </summary>
      {entities.length > 0 && (
        <p class="labels">
          {entities.map(({ id, name }) => (
            <a class="label" key={id} href={hrefOf('graph', null, { node: `entity_${id}` })}>
              <Text of={name} />
            </a>
          ))}
        </p>
      )}
      {links.length > 0 && <Linked ids={links.slice(0, 50)} />}
      <p>
        <a class="reach" href={hrefOf('graph', null, { node: `memory_${memory.id}` })}>
          Show the graph around it <kbd>g</kbd>
        </a>
      </p>
    </details>
  );
}

function Linked({ ids }: { ids: readonly number[] }) {
  const { loaded, again } = useLoaded(
    (signal) => call<typeof memoryList>('memory_list', { ids: [...ids] }, signal),
    [ids.join()],
  );
  if (loaded.value.state !== 'ready') return <Waiting loaded={loaded.value} again={again} />;
  return (
    <ul class="lines">
      {loaded.value.value.memories.map((line) => (
        <li key={line.id}>
          <a href={hrefOf('memory', line.id)}>
            <Text of={line.title} />
          </a>{' '}
          <span class="muted">
            {line.type} #{line.id}
          </span>
        </li>
      ))}
    </ul>
  );
}
