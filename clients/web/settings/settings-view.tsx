// Every setting of the running daemon and where its value came from. Changed in config.toml or the environment, never here: a page
// that any tab may open is no place to turn a safeguard off.
import { useSignal } from '@preact/signals';
import type { OutputOf } from '#shared/contract/operation.ts';
import type { listSettings } from '#shared/contract/page.ts';
import { call } from '../api.ts';
import { Empty, useLoaded, Waiting } from '../parts/loaded.tsx';
import { Text } from '../parts/text.tsx';

type Setting = OutputOf<typeof listSettings>['settings'][number];

export function SettingsView() {
  const { loaded, again } = useLoaded((signal) => call<typeof listSettings>('list_settings', {}, signal), [], 0);
  const words = useSignal('');
  const isChangedOnly = useSignal(false);
  const now = loaded.value;
  const shown =
    now.state !== 'ready' ? [] : now.value.settings.filter((one) => isWanted(one, words.value, isChangedOnly.value));
  return (
    <div class="stack scroll">
      <div class="view-head">
        <h1>Settings</h1>
        <label class="inline">
          <span class="unseen">Filter settings</span>
          <input
            type="search"
            placeholder="Filter settings"
            value={words.value}
            onInput={(event) => {
              words.value = event.currentTarget.value;
            }}
          />
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={isChangedOnly.value}
            onChange={() => {
              isChangedOnly.value = !isChangedOnly.value;
            }}
          />
          Only what is not the default
        </label>
        <p class="muted" role="status">
          {now.state === 'ready' && `${shown.length} of ${now.value.settings.length}`}
        </p>
      </div>
      {now.state !== 'ready' && <Waiting loaded={now} again={again} />}
      {now.state === 'ready' && shown.length === 0 && (
        <Empty>
          <p>No setting fits.</p>
        </Empty>
      )}
      {shown.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section class="wide-table padded" aria-label="Table of settings" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">Setting</th>
                <th scope="col">Value</th>
                <th scope="col">From</th>
                <th scope="col">Means</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((one) => (
                <tr key={one.key}>
                  <th scope="row">
                    <code>{one.key}</code>
                  </th>
                  <td>{one.value === null ? <span class="muted">unset</span> : <Text of={String(one.value)} />}</td>
                  <td class={one.origin === 'default' ? 'muted' : ''}>{originText(one.origin)}</td>
                  <td class="muted">
                    {one.doc} ({one.allowed})
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </div>
  );
}

function isWanted(one: Setting, words: string, isChangedOnly: boolean): boolean {
  if (isChangedOnly && one.origin === 'default') return false;
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => `${one.key} ${one.doc}`.toLowerCase().includes(word));
}

function originText(origin: string): string {
  return origin === 'file' ? 'config.toml' : origin;
}
