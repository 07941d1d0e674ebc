import { describe, expect, it } from 'vitest';
import type { Lane } from '#daemon/embeddings/embedder.ts';
import { createQueue } from '#daemon/embeddings/queue.ts';

/** Tasks that end when the test says so, and the order in which they began. */
function createSteps() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const task = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
  };
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { begun, task, end };
}

describe('queue of the embedding model', () => {
  it('serves queries before saves and saves before bulk work, each lane in order', async () => {
    const { begun, task, end } = createSteps();
    const queue = createQueue();
    const lanes: [Lane, string][] = [
      ['bulk', 'b1'],
      ['bulk', 'b2'],
      ['save', 's1'],
      ['query', 'q1'],
      ['save', 's2'],
      ['query', 'q2'],
    ];
    const all = lanes.map(([lane, name]) => queue.add(lane, task(name)));
    for (const name of ['b1', 'q1', 'q2', 's1', 's2', 'b2']) await end(name);
    expect(await Promise.all(all)).toEqual(['b1', 'b2', 's1', 'q1', 's2', 'q2']);
    expect(begun).toEqual(['b1', 'q1', 'q2', 's1', 's2', 'b2']);
  });

  it('lets a query wait for one run at most, however much bulk work waits', async () => {
    const { begun, task, end } = createSteps();
    const queue = createQueue();
    for (let index = 0; index < 500; index += 1) void queue.add('bulk', task(`b${index}`));
    const answer = queue.add('query', task('q'));
    await end('b0');
    expect(begun).toEqual(['b0', 'q']);
    await end('q');
    expect(await answer).toBe('q');
  });

  it('goes on after a task that fails', async () => {
    const queue = createQueue();
    const failing = queue.add('save', () => Promise.reject(new Error('no')));
    const next = queue.add('save', async () => 'yes');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });

  it('takes a text out of its lane when its caller gives up, and never runs it', async () => {
    const { begun, task, end } = createSteps();
    const queue = createQueue();
    const first = queue.add('save', task('a'));
    const given = new AbortController();
    const second = queue.add('save', task('b'), given.signal);
    given.abort(new Error('enough'));
    await expect(second).rejects.toThrow('enough');
    expect(queue.waiting).toBe(0);
    await end('a');
    await first;
    expect(begun).toEqual(['a']);
  });

  it('answers a caller who gives up during the run at once, and serves the next when the run is over', async () => {
    const { begun, task, end } = createSteps();
    const queue = createQueue();
    const given = new AbortController();
    const running = queue.add('save', task('a'), given.signal);
    const next = queue.add('save', task('b'));
    given.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    expect(begun).toEqual(['a']);
    await end('a');
    await end('b');
    expect(await next).toBe('b');
  });

  it('refuses a signal that is aborted already', async () => {
    const queue = createQueue();
    await expect(queue.add('query', async () => 1, AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
  });

  it('bounds each lane by itself, so that bulk work never crowds out a query', async () => {
    const { task, end } = createSteps();
    const queue = createQueue({ maxWaiting: 2 });
    const kept = [0, 1, 2].map((index) => queue.add('bulk', task(`b${index}`)));
    await expect(queue.add('bulk', task('b3'))).rejects.toMatchObject({ code: 'unavailable' });
    const query = queue.add('query', task('q'));
    for (const name of ['b0', 'q', 'b1', 'b2']) await end(name);
    expect(await query).toBe('q');
    expect(await Promise.all(kept)).toEqual(['b0', 'b1', 'b2']);
  });

  it('refuses what waits and what comes when it is closed', async () => {
    const { task, end } = createSteps();
    const queue = createQueue();
    const running = queue.add('save', task('a'));
    const waiting = queue.add('save', task('b'));
    queue.close();
    await expect(waiting).rejects.toMatchObject({ code: 'unavailable' });
    await expect(queue.add('query', task('c'))).rejects.toMatchObject({ code: 'unavailable' });
    await end('a');
    expect(await running).toBe('a');
  });
});
