import { setTimeout as sleep } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { createActivityStreams } from '#daemon/activity/index.ts';
import { internalContext } from '#daemon/kernel/context.ts';
import { createEvents } from '#daemon/kernel/events.ts';
import { silentLogger } from '#daemon/kernel/logger.ts';
import { changeToEvent, pruneChanges, recordChanges } from '#daemon/storage/change-log.ts';
import { openEventReader } from '../../support/event-reader.ts';
import { dayMs } from '../../support/fake-clock.ts';
import { sendTo } from '../../support/http-surface.ts';
import { openTempDatabase } from '../../support/temp-database.ts';
import { startTestDaemon, type TestDaemon } from '../../support/test-daemon.ts';
import { openTestStore } from '../../support/test-store.ts';

const save = (daemon: TestDaemon, content: string, fields: object = {}) =>
  sendTo(
    { socketPath: daemon.paths.httpSocket },
    { method: 'POST', path: '/memories', body: { content, on_duplicate: 'keep', ...fields } },
  );

/** Rows as large as long memories are, past the API. */
function fillLog(databaseFile: string, { rows, bytesEach }: { rows: number; bytesEach: number }): void {
  const database = new Sqlite(databaseFile);
  const insert = database.prepare(
    `INSERT INTO change_log (user_id, kind, thing_id, action, actor, snapshot, created_at)
     VALUES (1, 'memory', 9, 'updated', 'user', ?, 0)`,
  );
  const snapshot = JSON.stringify({ content: 'x'.repeat(bytesEach) });
  database.transaction(() => {
    for (let row = 0; row < rows; row += 1) insert.run(snapshot);
  })();
  database.close();
}

describe('the stream of events', () => {
  it('K184 sends what happens in the order of its sequence, and a reader that comes back misses nothing', async () => {
    const daemon = await startTestDaemon();
    const socketPath = daemon.paths.httpSocket;
    const first = await openEventReader({ socketPath });
    expect(first.response.headers['content-type']).toMatch(/^text\/event-stream/);
    await save(daemon, 'the first memory');
    await expect.poll(() => first.events).toHaveLength(1);
    expect(first.events[0]).toMatchObject({
      id: '1',
      name: 'activity',
      data: { seq: 1, entity_type: 'memory', entity_id: 1, action: 'created', actor: 'user', user_id: 1 },
    });
    first.close();
    await save(daemon, 'said while nobody listened');
    await save(daemon, 'said too while nobody listened');
    const second = await openEventReader({ socketPath, path: '/api/v1/activity/stream', lastEventId: '1' });
    await save(daemon, 'said when it was back');
    await expect.poll(() => second.events.map(({ id }) => id)).toEqual(['2', '3', '4']);
  });

  it('K184 the sequence goes on after a restart', async () => {
    const daemon = await startTestDaemon();
    await save(daemon, 'before');
    await daemon.stop();
    const again = await startTestDaemon({ home: daemon.home });
    const reader = await openEventReader({ socketPath: again.paths.httpSocket, lastEventId: '0' });
    await save(again, 'after');
    await expect.poll(() => reader.events.map(({ id }) => id)).toEqual(['1', '2']);
  });

  it('K184 is filtered by type and action, and refuses what cannot be', async () => {
    const daemon = await startTestDaemon();
    const socketPath = daemon.paths.httpSocket;
    const projects = await openEventReader({ socketPath, path: '/events?entity_type=project' });
    const deletions = await openEventReader({ socketPath, path: '/events?action=deleted' });
    await save(daemon, 'kept in cents', { project: 'storefront' });
    await sendTo({ socketPath }, { method: 'DELETE', path: '/api/v1/memories/1' });
    await expect.poll(() => projects.events.map(({ data }) => data.entity_type)).toEqual(['project']);
    await expect.poll(() => deletions.events.map(({ data }) => data.detail)).toEqual(['obsoleted']);
    expect((await sendTo({ socketPath }, { path: '/events?entity_type=planet' })).status).toBe(400);
    expect((await sendTo({ socketPath }, { path: '/events', headers: { 'last-event-id': 'x' } })).status).toBe(400);
  });

  it('K184 a slow reader is cut off at 4 MB unsent, the daemon and the others go on', async () => {
    const daemon = await startTestDaemon();
    const socketPath = daemon.paths.httpSocket;
    await save(daemon, 'the store is open');
    fillLog(daemon.paths.database, { rows: 400, bytesEach: 30_000 });
    const deaf = await openEventReader({ socketPath, lastEventId: '0', isDeaf: true });
    const well = await openEventReader({ socketPath, lastEventId: '0' });
    await expect.poll(() => well.events.length, { timeout: 20_000 }).toBe(401);
    await sleep(3_000); // longer than a deaf reader is waited for
    await save(daemon, 'said after it was cut off');
    await expect.poll(() => well.events.length, { timeout: 20_000 }).toBe(402);
    expect(well.isClosed()).toBe(false);
    deaf.listen();
    await expect.poll(deaf.isClosed).toBe(true);
    expect(deaf.events.length).toBeLessThan(401);
    expect((await sendTo({ socketPath }, { path: '/health' })).json).toEqual({ status: 'ok' });
  });

  it('a stop of the daemon ends the streams at once', async () => {
    const daemon = await startTestDaemon();
    const reader = await openEventReader({ socketPath: daemon.paths.httpSocket });
    await sendTo({ socketPath: daemon.paths.httpSocket }, { path: '/api/v1/activity' }); // the store is open
    const startedMs = performance.now();
    await daemon.stop();
    expect(performance.now() - startedMs).toBeLessThan(4_000);
    await expect.poll(reader.isClosed).toBe(true);
  });

  it('K184 a reader hears nothing of other users, and leaves nothing behind when it goes', async () => {
    const { database, clock } = await openTempDatabase();
    const events = createEvents(silentLogger);
    const streams = createActivityStreams({ database, events, logger: silentLogger });
    const written: string[] = [];
    const closing = new AbortController();
    await streams.open(
      { userId: 2, kind: null, action: null, after: 0 },
      {
        write: (text) => void written.push(text),
        unsentBytes: () => 0,
        drained: async () => undefined,
        end: () => closing.abort(),
        cut: () => closing.abort(),
        closed: closing.signal,
      },
    );
    expect(streams.count()).toBe(1);
    const change = { kind: 'memory', thingId: 1, action: 'created' };
    for (const userId of [1, 2, 1]) {
      const log = await database.write(internalContext, (trx) =>
        recordChanges(trx, { ...internalContext, userId }, clock, [change]),
      );
      for (const row of log) events.announce(changeToEvent(row));
    }
    await expect.poll(() => written.join('')).toContain('"user_id":2');
    expect(written.join('')).not.toContain('"user_id":1');
    streams.endAll();
    expect(streams.count()).toBe(0);
  });

  it('a reader whose last event is past its retention is told of the gap', async () => {
    const daemon = await startTestDaemon();
    for (const content of ['one', 'two', 'three']) await save(daemon, content);
    daemon.clock.advance(91 * dayMs);
    await sendTo({ socketPath: daemon.paths.httpSocket }, { method: 'POST', path: '/api/v1/jobs/prune/run' });
    await save(daemon, 'four');
    const reader = await openEventReader({ socketPath: daemon.paths.httpSocket, lastEventId: '1' });
    await expect.poll(() => reader.events).toHaveLength(2);
    expect(reader.events[0]).toMatchObject({ name: 'gap', data: { from: 1, to: 3 } });
    expect(reader.events[1]).toMatchObject({ id: '4' });
  });
});

describe('subscriptions', () => {
  const event = { seq: 1, userId: 1, kind: 'memory', thingId: 1, action: 'deleted', name: 'memory.deleted' };

  it('K185 a pattern may leave either half open', () => {
    const events = createEvents(silentLogger);
    const heard: string[] = [];
    for (const pattern of ['memory.*', '*.deleted', 'memory.deleted', '*.*', 'task.*', '*.created', 'memory.created']) {
      events.subscribe(() => heard.push(pattern), pattern);
    }
    events.announce(event);
    expect(heard).toEqual(['memory.*', '*.deleted', 'memory.deleted', '*.*']);
  });

  it('K185 a listener that throws keeps nobody else from hearing, and one that left hears nothing', () => {
    const events = createEvents(silentLogger);
    const heard: string[] = [];
    events.subscribe(() => {
      throw new Error('broken');
    });
    const leave = events.subscribe(() => heard.push('left'));
    events.subscribe(() => heard.push('stayed'));
    leave();
    events.announce(event);
    expect(heard).toEqual(['stayed']);
  });
});

describe('reads and retention', () => {
  const listed = { events: expect.anything(), total: expect.anything() };

  it('K186 reads and queries are in the log only when they are tracked', async () => {
    for (const [tracked, total] of [
      [false, 0],
      [true, 2],
    ] as const) {
      const store = await openTestStore({ env: { LOCI_ACTIVITY_TRACK_READS: String(tracked) } });
      await store.call('create_memory', { title: 'Cart', content: 'prices are kept in cents' });
      await store.call('get_memory', { id: 1 });
      await store.call('query_memory', { query: 'cents' });
      await store.call('list_activity', {});
      const reads = await store.call<typeof listed>('list_activity', { action: 'read' });
      const queries = await store.call<typeof listed>('list_activity', { action: 'queried' });
      expect(reads.total + queries.total).toBe(total);
      if (!tracked) continue;
      expect(reads.events).toEqual([expect.objectContaining({ entity_type: 'memory', entity_id: 1 })]);
      expect(queries.events).toEqual([
        expect.objectContaining({ entity_id: 0, metadata: { operation: 'query_memory', query: 'cents' } }),
      ]);
    }
  });

  it('K187 the prune job drops activity past its retention and nothing younger', async () => {
    const store = await openTestStore({ env: { LOCI_ACTIVITY_RETENTION_DAYS: '10' } });
    await store.call('memory_save', { content: 'old' });
    store.clock.advance(9 * dayMs);
    await store.call('memory_save', { content: 'younger' });
    store.clock.advance(dayMs);
    expect(await store.call('run_job', { name: 'prune' })).toMatchObject({ counts: { activity: 0 } });
    store.clock.advance(1);
    expect(await store.call('run_job', { name: 'prune' })).toMatchObject({ counts: { activity: 1 } });
    expect(await store.call('list_activity')).toMatchObject({ total: 1, events: [{ entity_id: 2 }] });
  });

  it('K187 more than one small transaction holds is pruned all the same', async () => {
    const { database, clock } = await openTempDatabase();
    const change = { kind: 'memory', thingId: 1, action: 'created' };
    await database.write(internalContext, (trx) =>
      recordChanges(
        trx,
        internalContext,
        clock,
        Array.from({ length: 1_500 }, () => change),
      ),
    );
    const prune = () => database.write(internalContext, (trx) => pruneChanges(trx, clock.now() + 1));
    expect([await prune(), await prune(), await prune()]).toEqual([1_000, 500, 0]);
  });
});
