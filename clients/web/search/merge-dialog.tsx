import { useSignal } from '@preact/signals';
import type { memoryList, memoryMerge } from '#shared/contract/browse.ts';
import type { memoryRevert } from '#shared/contract/history.ts';
import { act, update } from '../actions.ts';
import { call } from '../api.ts';
import { Dialog } from '../parts/dialog.tsx';
import { useLoaded, Waiting } from '../parts/loaded.tsx';
import { Text } from '../parts/text.tsx';
import { picked } from './picked.ts';

/** Two memories become one; which of them stays is chosen here. */
export function MergeDialog({ ids, onClose }: { ids: readonly [number, number]; onClose: () => void }) {
  const kept = useSignal(ids[0]);
  const { loaded, again } = useLoaded(
    (signal) => call<typeof memoryList>('memory_list', { ids: [...ids] }, signal),
    [ids.join()],
  );
  const now = loaded.value;
  const merge = async (event: Event): Promise<void> => {
    event.preventDefault();
    const from = ids.find((id) => id !== kept.value) ?? ids[1];
    if (!(await mergeMemories(kept.value, from))) return;
    picked.value = new Set();
    onClose();
  };
  return (
    <Dialog title="Merge two memories" onClose={onClose}>
      {now.state !== 'ready' ? (
        <Waiting loaded={now} again={again} />
      ) : (
        <form onSubmit={(event) => void merge(event)}>
          <fieldset class="choices">
            <legend>Which one stays? It takes over what the other says.</legend>
            {now.value.memories.map((line) => (
              <label key={line.id} class="choice">
                <input
                  type="radio"
                  name="kept"
                  checked={kept.value === line.id}
                  onChange={() => {
                    kept.value = line.id;
                  }}
                />
                <span>
                  <strong>#{line.id}</strong> <Text of={line.title} />
                  <span class="excerpt-lines muted">
                    <Text of={line.excerpt} />
                  </span>
                </span>
              </label>
            ))}
          </fieldset>
          <div class="actions">
            <button type="submit" class="primary">
              Merge
            </button>
            <button type="button" onClick={onClose}>
              Cancel
            </button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

/** The union, with the way back: the one that stayed says what it said, and the other is active again. */
export function mergeMemories(id: number, from: number): Promise<boolean> {
  return act([id, from], `Memory ${from} is merged into ${id}.`, async () => {
    const { history } = await call<typeof memoryMerge>('memory_merge', { id, from });
    return async () => {
      await call<typeof memoryRevert>('memory_revert', { id, to: history });
      await update(from, { status: 'active' });
    };
  });
}
