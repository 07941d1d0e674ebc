import { Empty } from '../parts/loaded.tsx';
import { hrefOf, route } from '../route.ts';
import { MemoryPane } from './memory-pane.tsx';

/** One memory by its own address. */
export function MemoryView() {
  const { id } = route.value;
  if (id === null) {
    return (
      <Empty>
        <p>No memory is named.</p>
        <a href={hrefOf('search')}>Show all memories</a>
      </Empty>
    );
  }
  return (
    <div class="alone">
      <h1 class="unseen">Memory {id}</h1>
      <MemoryPane id={id} />
    </div>
  );
}
