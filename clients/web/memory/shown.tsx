import { useSignal } from '@preact/signals';
import type { listInjections } from '#shared/contract/trust.ts';
import { call } from '../api.ts';
import { useLoaded, Waiting } from '../parts/loaded.tsx';
import { Text } from '../parts/text.tsx';
import { Ago } from '../parts/time.tsx';

const occasions = { recall: 'into a prompt', recap: 'at the start of a session' } as const;

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
      {isOpen.value && <Injections id={id} />}
    </details>
  );
}

function Injections({ id }: { id: number }) {
  const { loaded, again } = useLoaded(
    (signal) => call<typeof listInjections>('list_injections', { memory_id: id }, signal),
    [id],
  );
  if (loaded.value.state !== 'ready') return <Waiting loaded={loaded.value} again={again} />;
  const { injections, total } = loaded.value.value;
  if (injections.length === 0) return <p class="muted">Into no context that is still on record.</p>;
  return (
    <>
      <ul class="lines">
        {injections.map((one) => (
          <li key={`${one.injected_at} ${one.session}`}>
            <Ago at={one.injected_at} /> {occasions[one.occasion]}
            {one.agent !== null && (
              <>
                {' '}
                of <Text of={one.agent} />
              </>
            )}{' '}
            <span class="muted">
              <Text of={[one.session, one.folder].filter((part) => part !== null).join(', ')} />
            </span>
          </li>
        ))}
      </ul>
      {total > injections.length && <p class="muted">and {total - injections.length} more</p>}
    </>
  );
}
