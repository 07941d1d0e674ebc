import { join } from 'node:path';
import { internalContext } from '#daemon/kernel/context.ts';
import { openDatabase, type SqliteDatabase } from '#daemon/storage/sqlite.ts';
import { atEnd } from './at-end.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { tempFolder } from './temp-folder.ts';

export type TempDatabase = { readonly database: SqliteDatabase; readonly clock: FakeClock; readonly file: string };

/** A migrated database in a temporary folder, with the users 1 and 2; closed at the end of the test. */
export async function openTempDatabase(clock: FakeClock = createFakeClock()): Promise<TempDatabase> {
  const file = join(tempFolder(), 'loci.db');
  const database = await openDatabase({ file, clock });
  atEnd(() => database.close());
  await database.write(internalContext, async (trx) => {
    for (const id of [1, 2]) {
      await trx
        .insertInto('users')
        .values({ id, uid: `user-${id}`, name: `user ${id}`, created_at: clock.now() })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  });
  return { database, clock, file };
}
