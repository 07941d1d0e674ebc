// Memories whose text speaks to the reader, as planted ones do: agents are not shown them until a person has decided.

import type { OutputOf } from '#shared/contract/operation.ts';
import type {
  holdQuarantined,
  listQuarantined,
  rejectQuarantined,
  releaseQuarantined,
} from '#shared/contract/trust.ts';
import { act, update } from '../actions.ts';
import { call } from '../api.ts';
import { Prose, Text } from '../parts/text.tsx';
import { Ago } from '../parts/time.tsx';
import { hrefOf } from '../route.ts';
import { mayWrite } from '../session.ts';

export type Held = OutputOf<typeof listQuarantined>['memories'][number];

export function HeldBack({ held }: { held: readonly Held[] }) {
  if (held.length === 0) return null;
  return (
    <section aria-label="Held back">
      <h2 class="day">Held back from agents</h2>
      <ul class="conflicts">
        {held.map((one) => (
          <li key={one.id} class="conflict" aria-label={`Memory ${one.id}, held back`}>
            <p>
              <a href={hrefOf('memory', one.id)}>
                #{one.id} <Text of={one.title} />
              </a>{' '}
              <span class="muted">
                <Text of={[one.agent, one.author].filter((name) => name !== null).join(', ')} />{' '}
                <Ago at={one.found_at} />
              </span>
            </p>
            <Prose of={one.content} />
            <p class="health degraded">
              <Text of={one.reasons.join('; ')} />
            </p>
            {mayWrite() && (
              <div class="actions">
                <button type="button" onClick={() => void release(one.id)}>
                  Release: it is harmless
                </button>
                <button type="button" onClick={() => void reject(one.id)}>
                  Reject: archive it
                </button>
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function release(id: number): Promise<boolean> {
  return act([id], `Memory ${id} is released.`, async () => {
    await call<typeof releaseQuarantined>('release_quarantined', { id });
    return () => call<typeof holdQuarantined>('hold_quarantined', { id });
  });
}

function reject(id: number): Promise<boolean> {
  return act([id], `Memory ${id} is rejected.`, async () => {
    await call<typeof rejectQuarantined>('reject_quarantined', { id });
    return async () => {
      await call<typeof holdQuarantined>('hold_quarantined', { id });
      await update(id, { status: 'active' });
    };
  });
}
