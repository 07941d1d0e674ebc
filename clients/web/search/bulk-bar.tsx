// One thing done to many: to what is selected, or to all that the filters and the search have left.
import { useSignal } from '@preact/signals';
import type { memoryList } from '#shared/contract/browse.ts';
import type { InputOf } from '#shared/contract/operation.ts';
import { changeMany } from '../actions.ts';
import { call } from '../api.ts';
import { PurgeDialog } from '../memory/purge-dialog.tsx';
import { tell } from '../parts/messages.tsx';
import { mayWrite } from '../session.ts';
import { found } from './find.ts';
import { MergeDialog } from './merge-dialog.tsx';
import { picked } from './picked.ts';

/** More at once is a job for the command line. */
const maxPicked = 2_000;

export function BulkBar() {
  const isErasing = useSignal(false);
  const isMerging = useSignal(false);
  const ids = [...picked.value];
  const total = found.value?.total ?? 0;
  if (!mayWrite() || total === 0) return null;
  const change = async (done: string, to: Parameters<typeof changeMany>[2], back: Parameters<typeof changeMany>[3]) => {
    if (await changeMany(ids, done, to, back)) picked.value = new Set();
  };
  return (
    <fieldset class="bulk">
      <legend class="unseen">Selected memories</legend>
      <span>{ids.length === 0 ? 'None selected' : `${ids.length} selected`}</span>
      {ids.length < total && (
        <button type="button" class="quiet" onClick={() => void pickAll()}>
          Select all {Math.min(total, maxPicked).toLocaleString()}
        </button>
      )}
      {ids.length > 0 && (
        <>
          <button type="button" onClick={() => void change('archived', { status: 'archived' }, { status: 'active' })}>
            Archive
          </button>
          <button type="button" onClick={() => void change('restored', { status: 'active' }, { status: 'archived' })}>
            Restore
          </button>
          <button type="button" onClick={() => void change('pinned', { pinned: true }, { pinned: false })}>
            Pin
          </button>
          {ids.length === 2 && (
            <button
              type="button"
              onClick={() => {
                isMerging.value = true;
              }}
            >
              Merge …
            </button>
          )}
          <button
            type="button"
            class="danger"
            onClick={() => {
              isErasing.value = true;
            }}
          >
            Erase …
          </button>
          <button
            type="button"
            class="quiet"
            onClick={() => {
              picked.value = new Set();
            }}
          >
            Select none
          </button>
        </>
      )}
      {isErasing.value && (
        <PurgeDialog
          ids={ids}
          onClose={() => {
            isErasing.value = false;
          }}
        />
      )}
      {isMerging.value && ids[0] !== undefined && ids[1] !== undefined && (
        <MergeDialog
          ids={[ids[0], ids[1]]}
          onClose={() => {
            isMerging.value = false;
          }}
        />
      )}
    </fieldset>
  );
}

/** Every memory of the list, also those whose page has not come yet. */
async function pickAll(): Promise<void> {
  const now = found.value;
  if (now === null) return;
  if (now.wanted.query.trim() !== '') {
    picked.value = new Set([...now.rows.values()].map((row) => row.id));
    return;
  }
  const { query: _, ...wanted } = now.wanted;
  const filters = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== null));
  const ids: number[] = [];
  try {
    for (let offset = 0; offset < Math.min(now.total, maxPicked); offset += 200) {
      const input = { ...filters, limit: 200, offset } as InputOf<typeof memoryList>;
      ids.push(...(await call<typeof memoryList>('memory_list', input)).memories.map((line) => line.id));
    }
    picked.value = new Set(ids);
  } catch (error) {
    tell(error instanceof Error ? error.message : String(error), { isFailure: true });
  }
}
