// Imports into the database of a team: what goes in comes out again, whichever engine it came from, and an import belongs to its daemon.
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { newUid } from '#daemon/kernel/ids.ts';
import type { ImportStatus } from '#shared/contract/transfer.ts';
import { plantAll } from '../support/everything-plot.ts';
import { runSql } from '../support/postgres/cluster.ts';
import { databaseOf, storageSettings, urlOf } from '../support/storage-under-test.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openTestStore } from '../support/test-store.ts';
import { exportLines, importEnd, importInto, uploadTo } from '../support/transfer.ts';

const sorted = (lines: readonly string[]): string[] => lines.slice(1).sort();

describe('an export', () => {
  it('of a machine goes into a team and from there into another machine, equal; a dry run stores nothing', async () => {
    const alone = await openTestStore({ isAlone: true });
    await plantAll(alone);
    const lines = await exportLines(alone);

    const team = await openTestStore({ clock: alone.clock });
    const rehearsed = await importInto(team, lines.join('\n'), { dry_run: true });
    expect(rehearsed).toMatchObject({ state: 'done', dry_run: true, report: { problem_count: 0 } });
    expect(sorted(await exportLines(team))).toEqual([]);
    const imported = await importInto(team, lines.join('\n'));
    expect(imported).toMatchObject({ state: 'done', error: null });
    expect(imported.report?.counts).toEqual(rehearsed.report?.counts);
    expect(sorted(await exportLines(team))).toEqual(sorted(lines));

    const again = await importInto(team, lines.join('\n'), { dry_run: true });
    for (const { added, updated } of Object.values(again.report?.counts ?? {})) expect(added + updated).toBe(0);

    const back = await openTestStore({ isAlone: true, clock: alone.clock });
    expect(await importInto(back, (await exportLines(team)).join('\n'))).toMatchObject({ state: 'done', error: null });
    expect(sorted(await exportLines(back))).toEqual(sorted(lines));
  });
});

describe('an import that was cut off', () => {
  it('is gone on with by the daemon that began it, and left alone by every other', async () => {
    const source = await openTestStore({ isAlone: true });
    await source.call('memory_save', { content: 'Row 0 of the ledger.' });
    const [head, row] = await exportLines(source);
    const sample = JSON.parse(row ?? '') as Record<string, unknown>;
    const rows = Array.from({ length: 260 }, (_, at) => ({
      ...sample,
      uid: newUid(at + 1),
      content: `Row ${at} of the ledger.`,
    }));
    const lines = [head, ...rows.map((each) => JSON.stringify(each))];
    const shared = tempFolder();
    const env = await storageSettings(shared);
    const home = tempFolder();
    const count = async (): Promise<number> =>
      Number((await runSql<{ n: string }>(urlOf(databaseOf(shared)), 'SELECT count(*) AS n FROM loci.memories'))[0]?.n);

    const first = await openTestStore({ home, env });
    const importId = await uploadTo(first, lines.join('\n'));
    await first.call('run_import', { import_id: importId });
    while ((await count()) === 0) await sleep(5);
    await first.close();
    const stored = await count();
    expect(stored).toBeLessThan(260);

    const other = await openTestStore({ home: tempFolder(), env });
    await sleep(300);
    expect(await other.call<ImportStatus>('get_import', { import_id: importId })).toMatchObject({ state: 'applying' });
    expect(await count()).toBe(stored);

    const second = await openTestStore({ home, env });
    expect(await importEnd(second, importId)).toMatchObject({ state: 'done', error: null });
    expect(await count()).toBe(260);
    await expect
      .poll(
        async () =>
          (await other.call<{ results: unknown[] }>('memory_search', { query: 'ledger', mode: 'keyword', limit: 3 }))
            .results.length,
      )
      .toBe(3);
  });
});
