// B59: an old build must neither use nor stamp down a database that a newer one wrote.
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { systemClock } from '#daemon/kernel/clock.ts';
import { schemaVersion } from '#daemon/storage/migrate.ts';
import { openDatabase } from '#daemon/storage/sqlite.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const digest = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

async function newerDatabase(change: (raw: Sqlite.Database) => void): Promise<string> {
  const file = join(tempFolder(), 'loci.db');
  await (await openDatabase({ file, clock: systemClock })).close();
  const raw = new Sqlite(file);
  raw.exec(`alter table memories add column mood text; pragma user_version = ${schemaVersion + 1}`);
  change(raw);
  return file;
}

describe('a database of a newer version', () => {
  it('B59 is refused by both versions and its bytes stay as they are', async () => {
    const file = await newerDatabase((raw) => raw.close());
    const before = digest(file);
    await expect(openDatabase({ file, clock: systemClock })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(new RegExp(`${schemaVersion + 1}.*${schemaVersion}`, 'u')),
    });
    expect(digest(file)).toBe(before);
  });

  it('B59 keeps what its killed daemon had not yet written back', async () => {
    let raw: Sqlite.Database | null = null;
    const living = await newerDatabase((opened) => {
      raw = opened;
      opened.exec("update memories set mood = 'calm'; create table later (a); insert into later values (1)");
    });
    const file = join(tempFolder(), 'loci.db');
    for (const end of ['', '-wal']) copyFileSync(`${living}${end}`, `${file}${end}`); // as kill -9 leaves them
    (raw as Sqlite.Database | null)?.close();
    const before = [digest(file), digest(`${file}-wal`)];
    await expect(openDatabase({ file, clock: systemClock })).rejects.toMatchObject({ code: 'unavailable' });
    expect(existsSync(`${file}-wal`)).toBe(true);
    expect([digest(file), digest(`${file}-wal`)]).toEqual(before);
  });
});
