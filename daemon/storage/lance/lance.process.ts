// The entry of the vector process. LanceDB lives in a process of its own, because what it allocates is returned to the system only when the
// process ends (130 MB after 10,000 rows, of which a thread would leave 93 MB in the daemon), because a call that hangs can be
// ended by force, and because a crash of native code must not take the daemon with it. It ends when the daemon lets go of it or dies.
import type { FromLance, ToLance } from './lance-messages.ts';
import { openLanceTables } from './lance-table.ts';

const [place = ''] = process.argv.slice(2);
const tables = openLanceTables(place);
tables.catch(() => undefined); // told to whoever asks

process.on('message', (message: ToLance) => void answer(message));
process.on('disconnect', () => process.exit(0));

async function answer({ id, name, argument }: ToLance): Promise<void> {
  try {
    const query = (await tables)[name] as (argument: unknown) => Promise<unknown>;
    send({ id, answer: await query(argument) });
  } catch (error) {
    send({ id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

function send(message: FromLance): void {
  if (process.connected) process.send?.(message);
}
