// Something that is asked for, and the three ways it can stand: on its way, here, or refused with a reason and a way to try again.
import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { changes } from '../changes.ts';
import { noticeEnd } from '../session.ts';

export type Loaded<Value> =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly value: Value }
  | { readonly state: 'failed'; readonly why: string };

/** Asks when `keys` change, when something was changed anywhere (or `watched` grew), and on `again`. What was there stays until the new is. */
export function useLoaded<Value>(
  ask: (signal: AbortSignal) => Promise<Value>,
  keys: readonly unknown[],
  watched?: number,
): { loaded: Signal<Loaded<Value>>; again: () => void } {
  const loaded = useSignal<Loaded<Value>>({ state: 'loading' });
  const round = useSignal(0);
  useEffect(() => {
    loaded.value = { state: 'loading' };
  }, keys);
  useEffect(() => {
    const giveUp = new AbortController();
    ask(giveUp.signal).then(
      (value) => {
        if (!giveUp.signal.aborted) loaded.value = { state: 'ready', value };
      },
      (error: unknown) => {
        if (giveUp.signal.aborted) return;
        noticeEnd(error);
        loaded.value = { state: 'failed', why: error instanceof Error ? error.message : String(error) };
      },
    );
    return () => giveUp.abort();
  }, [...keys, round.value, watched ?? changes.value]);
  return {
    loaded,
    again: () => {
      round.value += 1;
    },
  };
}

export function Waiting({ loaded, again }: { loaded: Loaded<unknown>; again: () => void }) {
  if (loaded.state === 'failed') {
    return (
      <div class="empty" role="alert">
        <p>{loaded.why}</p>
        <button type="button" onClick={again}>
          Try again
        </button>
      </div>
    );
  }
  return (
    <p class="empty muted" role="status">
      Loading …
    </p>
  );
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <div class="empty">{children}</div>;
}
