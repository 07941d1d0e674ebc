import { useSignal } from '@preact/signals';
import type { createBackup, listBackups } from '#shared/contract/backups.ts';
import type { OutputOf } from '#shared/contract/operation.ts';
import { act } from '../actions.ts';
import { call } from '../api.ts';
import { Text } from '../parts/text.tsx';
import { Ago } from '../parts/time.tsx';
import { sizeText } from './quantities.ts';

type Kept = OutputOf<typeof listBackups>;

const maxShown = 5;

/** What can be brought back, and when that was last tried. Bringing one back is for the command line: `loci backup restore`. */
export function Backups({ kept: { backups, damaged, rehearsed } }: { kept: Kept }) {
  const isUnderWay = useSignal(false);
  const make = async (): Promise<void> => {
    isUnderWay.value = true;
    await act([], 'A backup is made.', async () => {
      await call<typeof createBackup>('create_backup', {});
      return null;
    });
    isUnderWay.value = false;
  };
  return (
    <>
      <p>
        Last rehearsal:{' '}
        {rehearsed === null ? (
          <span class="muted">never</span>
        ) : (
          <>
            <Ago at={rehearsed.at} /> of <Text of={rehearsed.name} />
          </>
        )}
      </p>
      {backups.length === 0 && <p class="muted">There is no backup yet.</p>}
      <ul class="lines">
        {backups.slice(0, maxShown).map((one) => (
          <li key={one.name}>
            <Ago at={one.created_at} />{' '}
            <span class="muted">
              {one.reason.replace('_', ' ')}, {one.memories.toLocaleString()} memories, {sizeText(one.bytes)}
            </span>
          </li>
        ))}
      </ul>
      {backups.length > maxShown && <p class="muted">and {backups.length - maxShown} more</p>}
      {damaged.map((one) => (
        <p key={one.name} class="health down">
          <Text of={`${one.name}: ${one.why}`} />
        </p>
      ))}
      <button type="button" disabled={isUnderWay.value} onClick={() => void make()}>
        {isUnderWay.value ? 'Backing up …' : 'Back up now'}
      </button>
    </>
  );
}
