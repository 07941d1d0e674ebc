import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createBackup } from '#daemon/backups/create.ts';
import { silentLogger } from '#daemon/kernel/logger.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { tempFolder } from '../../support/temp-folder.ts';

it('a backup that would fill the disk is not begun: it is refused with what it needs and what is free', async () => {
  const data = tempFolder();
  writeFileSync(join(data, 'loci.db'), Buffer.alloc(3 * 2 ** 20));
  const begun: string[] = [];
  const deps = {
    files: { database: join(data, 'loci.db'), data, vectors: join(data, 'vectors'), backups: join(data, 'backups') },
    retention: { daily: 7, weekly: 4 },
    clock: createFakeClock(),
    logger: silentLogger,
    exchange: async () => undefined,
    refile: async () => undefined,
    freeBytes: () => 69 * 2 ** 20,
    runTask: async (name: string) => {
      begun.push(name);
      throw new Error('not to be begun');
    },
  };
  await expect(createBackup(deps, 'manual')).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/needs 70 MB.*69 MB are free.*backup\.folder/),
  });
  expect(begun).toEqual([]);
  expect(readdirSync(join(data, 'backups'))).toEqual([]);
});
