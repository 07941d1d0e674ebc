import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { purge } from '../actions.ts';
import { Dialog } from '../parts/dialog.tsx';
import { picked } from '../search/picked.ts';

/** Erasing cannot be undone, so what is erased has to be written: the number of the memory, or how many they are. */
export function PurgeDialog({ ids, onClose }: { ids: readonly number[]; onClose: () => void }) {
  const typed = useSignal('');
  const isUnderWay = useSignal(false);
  const field = useId();
  const wanted = String(ids.length === 1 ? ids[0] : ids.length);
  const erase = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (typed.value.trim() !== wanted || isUnderWay.value) return;
    isUnderWay.value = true;
    await purge(ids);
    picked.value = new Set();
    onClose();
  };
  return (
    <Dialog title={ids.length === 1 ? `Erase memory ${ids[0]}` : `Erase ${ids.length} memories`} onClose={onClose}>
      <form onSubmit={(event) => void erase(event)}>
        <p>
          Text, history, links and vectors are erased for good. Nothing brings them back but a backup; archiving hides a
          memory and keeps it.
        </p>
        <label for={field}>
          {ids.length === 1 ? 'To erase it, write its number' : 'To erase them, write how many they are'}:{' '}
          <strong>{wanted}</strong>
        </label>
        <input
          id={field}
          inputMode="numeric"
          autocomplete="off"
          value={typed.value}
          onInput={(event) => {
            typed.value = event.currentTarget.value;
          }}
        />
        <div class="actions">
          <button type="submit" class="danger" disabled={typed.value.trim() !== wanted || isUnderWay.value}>
            Erase for good
          </button>
          <button type="button" onClick={onClose}>
            Keep
          </button>
        </div>
      </form>
    </Dialog>
  );
}
