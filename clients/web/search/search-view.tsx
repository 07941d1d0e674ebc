// The first view: everything that is stored, narrowed by words and by what it is, with the open memory beside the list.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { changes } from '../changes.ts';
import { MemoryPane } from '../memory/memory-pane.tsx';
import { addKeys } from '../parts/keys.ts';
import { Empty } from '../parts/loaded.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { goTo, hrefOf, replaceRoute, route } from '../route.ts';
import { addressToWanted } from './address-to-wanted.ts';
import { BulkBar } from './bulk-bar.tsx';
import { FacetList } from './facet-list.tsx';
import { fetchRange, find, found, searchLimit } from './find.ts';
import { isPicked, picked, togglePicked } from './picked.ts';
import { ResultRow } from './result-row.tsx';
import type { Wanted } from './wanted.ts';

export function SearchView() {
  const { query: address } = route.value;
  const wanted = addressToWanted(address);
  const openId = Number(address.get('id') ?? 0) || null;
  const explains = address.get('explain') === 'yes';
  const cursor = useSignal<number | null>(null);
  const box = useRef<HTMLInputElement>(null);

  useEffect(() => find(wanted, changes.value), [JSON.stringify(wanted), changes.value]);
  useEffect(() => {
    cursor.value = null;
  }, [JSON.stringify(wanted)]);
  useEffect(
    () =>
      addKeys({
        '/': () => box.current?.select(),
        j: () => step(1),
        k: () => step(-1),
        Enter: () => openRow(cursor.value),
        x: () => pickRow(cursor.value),
        Escape: () => change({ id: null }),
      }),
    [],
  );

  function step(by: number): void {
    const total = found.value?.total ?? 0;
    if (total === 0) return;
    const at = cursor.value === null ? (by > 0 ? 0 : total - 1) : Math.min(total - 1, Math.max(0, cursor.value + by));
    cursor.value = at;
    if (route.value.query.get('id') !== null) openRow(at);
  }

  const now = found.value;
  return (
    <div class={openId === null ? 'search' : 'search with-pane'}>
      <h1 class="unseen">Memories</h1>
      <div class="search-head">
        <label class="search-box">
          <span class="unseen">Search memories</span>
          <input
            ref={box}
            type="search"
            value={wanted.query}
            placeholder="Search what is remembered"
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => change({ q: event.currentTarget.value, id: null })}
          />
        </label>
        <label class="check">
          <input type="checkbox" checked={explains} onChange={() => change({ explain: explains ? null : 'yes' })} />
          Explain scores
        </label>
        <p class="counted" role="status">
          {now === null ? 'Loading …' : countedText(now.total, now.wanted.query !== '', now.tookMs)}
        </p>
      </div>
      <FacetList wanted={wanted} facets={now?.facets ?? null} onChoose={(name, value) => change({ [name]: value })} />
      <section class="found" aria-label="Found memories" data-query={now?.wanted.query}>
        <BulkBar />
        {now !== null && <Notes degraded={now.degraded} hint={now.hint} />}
        {now?.failed != null && (
          <Empty>
            <p role="alert">{now.failed}</p>
            <button type="button" onClick={() => find(wanted, null)}>
              Try again
            </button>
          </Empty>
        )}
        {now !== null && now.failed === null && now.total === 0 && <NothingFound wanted={now.wanted} />}
        {now !== null && now.total > 0 && (
          <VirtualList
            label="Memories"
            count={now.total}
            rowRem={explains ? 6.5 : 5}
            focus={cursor.value}
            onRange={fetchRange}
            row={(index) => (
              <ResultRow
                row={now.rows.get(index) ?? null}
                query={now.wanted.query}
                href={hrefWith({ id: String(now.rows.get(index)?.id ?? '') })}
                isOpen={now.rows.get(index)?.id === openId}
                isMarked={index === cursor.value}
                explains={explains}
                isPicked={isPicked(now.rows.get(index)?.id)}
                onPick={() => pickRow(index)}
              />
            )}
          />
        )}
      </section>
      {openId !== null && (
        <MemoryPane id={openId} query={wanted.query} onClose={() => change({ id: null })} hit={hitOf(openId)} />
      )}
    </div>
  );
}

function Notes({ degraded, hint }: { degraded: readonly string[]; hint: string | null }) {
  return (
    <>
      {degraded.includes('vector') && (
        <p class="note">Found by keyword alone: the model is not ready. The health view says why.</p>
      )}
      {hint !== null && <p class="note">{hint}</p>}
    </>
  );
}

function NothingFound({ wanted }: { wanted: Wanted }) {
  const isFiltered = Object.entries(wanted).some(([name, value]) => name !== 'sort' && value !== null && value !== '');
  return (
    <Empty>
      {isFiltered ? (
        <>
          <p>Nothing fits.</p>
          <p class="muted">Other words, or fewer filters, find more.</p>
          <a href={hrefOf('search')}>Show everything</a>
        </>
      ) : (
        <>
          <p>Nothing is remembered yet.</p>
          <p class="muted">
            Agents save as they work once they are connected: <code>loci setup</code>. By hand:{' '}
            <code>loci add "We deploy on Tuesdays"</code>
          </p>
        </>
      )}
    </Empty>
  );
}

function countedText(total: number, isSearch: boolean, tookMs: number | null): string {
  const memories = `${total.toLocaleString()} ${total === 1 ? 'memory' : 'memories'}`;
  if (!isSearch) return memories;
  const best = total >= searchLimit ? `The best ${memories}` : memories;
  return tookMs === null ? best : `${best} in ${Math.max(1, Math.round(tookMs))} ms`;
}

function hitOf(id: number) {
  return [...(found.value?.rows.values() ?? [])].find((row) => row.id === id)?.hit ?? null;
}

function openRow(index: number | null): void {
  const row = index === null ? undefined : found.value?.rows.get(index);
  if (row !== undefined) goTo(hrefWith({ id: String(row.id) }));
}

function pickRow(index: number | null): void {
  const row = index === null ? undefined : found.value?.rows.get(index);
  if (row !== undefined) togglePicked(row.id);
}

function change(parts: Readonly<Record<string, string | null>>): void {
  if (!('id' in parts)) picked.value = new Set();
  replaceRoute(hrefWith(parts));
}

/** The present address with some parameters changed. */
function hrefWith(parts: Readonly<Record<string, string | null>>): string {
  return hrefOf('search', null, { ...Object.fromEntries(route.peek().query), ...parts });
}
