import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkDatabase } from '#daemon/storage/repair/check-database.ts';
import { openTestStore } from '../../support/test-store.ts';

it('B45 where no copy can be made the keyword index is not looked at, and nothing bad is said of it', async () => {
  const test = await openTestStore({ isAlone: true });
  await test.call('memory_save', { content: 'The ledger closes on Fridays' });
  await test.close();
  const file = join(test.home, 'data', 'loci.db');
  const nowhere = join(test.home, 'no-such-folder', 'copy.db');
  expect(checkDatabase(file, nowhere)).toMatchObject({ integrity: 'ok', keywordIndex: null });
  const copy = join(test.home, 'copy.db');
  expect(checkDatabase(file, copy)).toMatchObject({ integrity: 'ok', keywordIndex: 'ok' });
  expect(existsSync(copy)).toBe(false);
});
