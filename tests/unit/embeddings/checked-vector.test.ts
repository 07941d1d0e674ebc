import { describe, expect, it } from 'vitest';
import { checkedVector } from '#daemon/embeddings/checked-vector.ts';

describe('check of a vector', () => {
  it('B16 a vector of zeros is null, so that no score can become NaN', () => {
    expect(checkedVector([0, 0, 0], 3)).toBeNull();
    expect(checkedVector([1e-8, 0, -1e-8], 3)).toBeNull();
  });

  it('scales a vector to length one', () => {
    expect(checkedVector([3, 0, 4], 3)).toEqual(Float32Array.of(0.6, 0, 0.8));
  });

  it.each([[[1, 2]], [[1, 2, 3, 4]], [[]]])('refuses %j where three numbers are expected', (values) => {
    expect(() => checkedVector(values, 3)).toThrow(expect.objectContaining({ code: 'unavailable' }));
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('refuses %d', (bad) => {
    expect(() => checkedVector([1, bad, 0], 3)).toThrow(expect.objectContaining({ code: 'unavailable' }));
  });
});
