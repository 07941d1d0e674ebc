// kill -9 in the middle of a restore, at moments spread over the whole of it: whatever the next start finds is one of the two stores, whole.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { endProcess, homeIn, pidOf, untilUp } from '../../support/daemon-process.ts';
import { checkKeywordIndex, queryHome } from '../../support/open-store-file.ts';
import { connectTo, untilEmbedded } from '../../support/real-daemon.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const saved = 40;
const kills = 10;

it('a restore that is killed leaves the old store or the new one, with every memory of it in every index', async () => {
  const home = homeIn(tempFolder());
  const connection = connectTo(home);
  const memories = (from: number) =>
    Array.from({ length: saved }, (_, at) => ({
      content: `memory word${from + at} of the ledger`,
      on_duplicate: 'keep',
    }));
  await connection.call('memory_save_many', { memories: memories(0) });
  await untilEmbedded(connection);
  const { name } = (await connection.call('create_backup', {})) as { name: string };
  await connection.call('memory_save_many', { memories: memories(saved) });
  const { took_ms: wholeMs } = (await connection.call('restore_backup', { name })) as { took_ms: number };

  for (let kill = 0; kill < kills; kill += 1) {
    // a store of eighty: the restore makes it forty, or does not
    const pid = await untilUp(home);
    const more = connectTo(home);
    if (((await more.call('memory_sync', {})) as { stats: { active: number } }).stats.active === saved)
      await more.call('memory_save_many', { memories: memories(saved) });
    await more.close();
    const quiet = connectTo({ env: { ...home.env, LOCI_NO_AUTOSTART: '1' } });
    const restoring = quiet.call('restore_backup', { name }).catch(() => undefined);
    await sleep((wholeMs * (kill + 0.5)) / kills);
    await endProcess(pid);
    await restoring;
    await quiet.close();

    const again = connectTo(home);
    const { stats } = (await again.call('memory_sync', {})) as { stats: { active: number } };
    expect([saved, 2 * saved]).toContain(stats.active);
    await untilEmbedded(again);
    for (const mode of ['keyword', 'vector']) {
      const query = 'memory word7 of the ledger';
      const { results } = (await again.call('memory_search', { query, mode, limit: 1, depth: 1 })) as {
        results: { id: number }[];
      };
      expect(results[0]?.id).toBe(8);
    }
    expect(await again.call('run_job', { name: 'reconcile' })).toMatchObject({ outcome: 'ok' });
    await again.close();
  }
  await endProcess(await pidOf(home));
  expect(queryHome(home.folder, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  checkKeywordIndex(home.folder);
}, 600_000);
