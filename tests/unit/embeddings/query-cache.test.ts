import { describe, expect, it } from 'vitest';
import { createQueryCache } from '#daemon/embeddings/query-cache.ts';

describe('cache of query vectors', () => {
  it('forgets the query used longest ago, not the one asked first', () => {
    const cache = createQueryCache(2);
    cache.set('a', Float32Array.of(1));
    cache.set('b', Float32Array.of(2));
    cache.get('a');
    cache.set('c', Float32Array.of(3));
    expect(cache.get('b')).toBeUndefined();
    expect(cache.get('a')).toEqual(Float32Array.of(1));
    expect(cache.get('c')).toEqual(Float32Array.of(3));
    expect(cache.size).toBe(2);
  });

  it('gives copies: a caller who changes or transfers a vector does not change the next answer', () => {
    const cache = createQueryCache();
    const vector = Float32Array.of(1, 2);
    cache.set('a', vector);
    vector[0] = 9;
    const given = cache.get('a');
    given?.fill(7);
    if (given !== undefined) structuredClone(given, { transfer: [given.buffer as ArrayBuffer] });
    expect(cache.get('a')).toEqual(Float32Array.of(1, 2));
  });

  it('does not keep a text of pages as a key', () => {
    const cache = createQueryCache();
    cache.set('x'.repeat(5_000), Float32Array.of(1));
    expect(cache.size).toBe(0);
  });
});
