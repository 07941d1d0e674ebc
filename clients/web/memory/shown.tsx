import { useSignal } from '@preact/signals';
import type { memoryShown } from '#shared/contract/browse.ts';
import { call } from '../api.ts';
import { useLoaded, Waiting } from '../parts/loaded.tsx';
import { Text } from '../parts/text.tsx';
import { Ago } from '../parts/time.tsx';

/** Into which agents' contexts a memory was put. */
export function Shown({ id }: { id: number }) {
  const isOpen = useSignal(false);
  return (
    <details
      class="part"
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open;
      }}
    >
      <summary>Where it was injected</summary>
      {isOpen.value && <Sessions id={id} />}
    </details>
  );
}

function Sessions({ id }: { id: number }) {
  const { loaded, again } = useLoaded((signal) => call<typeof memoryShown>('memory_shown', { id }, signal), [id]);
  if (loaded.value.state !== 'ready') return <Waiting loaded={loaded.value} again={again} />;
  const { shown, kept_days: days } = loaded.value.value;
  if (shown.length === 0) return <p class="muted">Into no session in the last {days} days.</p>;
  return (
    <ul class="lines">
      {shown.map(({ session, shown_at: at }) => (
        <li key={session}>
          session <Text of={session} />, <Ago at={at} />
        </li>
      ))}
    </ul>
  );
}
