import { join } from 'node:path';
import { expect, it } from 'vitest';
import { internalContext } from '#daemon/kernel/context.ts';
import { changeToEvent, recordChanges } from '#daemon/storage/change-log.ts';
import { openDatabase } from '#daemon/storage/sqlite.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { tempFolder } from '../../support/temp-folder.ts';

async function open() {
  const clock = createFakeClock();
  return { clock, database: await openDatabase({ file: join(tempFolder(), 'loci.db'), clock }) };
}

it('changes are written in order with growing seq, and read back as given', async () => {
  const { clock, database } = await open();
  const context = { ...internalContext, transport: 'mcp' as const, agent: 'claude-code' };
  const rows = await database.write(context, (trx) =>
    recordChanges(trx, context, clock, [
      { kind: 'memory', thingId: 7, action: 'created', snapshot: { id: 7 } },
      {
        kind: 'memory',
        thingId: 7,
        action: 'updated',
        changes: { title: { old: null, new: 'T' } },
        metadata: { n: 1 },
      },
    ]),
  );
  expect(await database.db.selectFrom('change_log').selectAll().orderBy('seq').execute()).toEqual(rows);
  expect(rows.map((row) => row.action)).toEqual(['created', 'updated']);
  expect(rows[1]).toMatchObject({
    seq: 2,
    actor: 'user',
    actor_id: 'claude-code',
    changes: '{"title":{"old":null,"new":"T"}}',
    snapshot: null,
    metadata: '{"n":1}',
    created_at: clock.now(),
  });
  expect(rows.map(changeToEvent)[1]).toEqual({
    seq: 2,
    userId: 1,
    kind: 'memory',
    thingId: 7,
    action: 'updated',
    name: 'memory.updated',
  });
  await database.close();
});

it('a rolled back change leaves no row in the log', async () => {
  const { clock, database } = await open();
  const failing = database.write(internalContext, async (trx) => {
    await recordChanges(trx, internalContext, clock, [{ kind: 'project', thingId: 1, action: 'created' }]);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await database.db.selectFrom('change_log').selectAll().execute()).toEqual([]);
  await database.close();
});
