import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decayOf, frequencyOf, type Lived, scoreOf, trustOf } from '#daemon/retrieval/score.ts';
import { dayMs } from '../../support/fake-clock.ts';

const nowMs = Date.UTC(2026, 0, 31);
const memory = (part: Partial<Lived> & { days?: number } = {}): Lived => ({
  confidence: 0.5,
  accessCount: 0,
  createdAtMs: nowMs - (part.days ?? 30) * dayMs,
  lastAccessedAtMs: null,
  ...part,
});
const share = fc.double({ min: 0, max: 1, noNaN: true });
const days = fc.double({ min: 0, max: 3_650, noNaN: true });
const accesses = fc.integer({ min: 0, max: 1_000_000 });

describe('decay', () => {
  it('halves in thirty days without confidence, and takes twice as long at one half', () => {
    expect(decayOf(memory({ confidence: 0, days: 30 }), nowMs)).toBeCloseTo(0.5, 12);
    expect(decayOf(memory({ confidence: 0.5, days: 60 }), nowMs)).toBeCloseTo(0.5, 12);
    expect(decayOf(memory({ confidence: 0.85, days: 60 }), nowMs)).toBeCloseTo(0.25 ** 0.15, 12);
  });

  it('never ages what is certain', () => {
    expect(decayOf(memory({ confidence: 1, days: 9_000 }), nowMs)).toBe(1);
  });

  it('counts from the last access where there was one', () => {
    const accessed = memory({ days: 300, lastAccessedAtMs: nowMs - 30 * dayMs });
    expect(decayOf(accessed, nowMs)).toBe(decayOf(memory({ days: 30 }), nowMs));
  });

  it('takes an age below zero for zero', () => {
    expect(decayOf(memory({ days: -400 }), nowMs)).toBe(1);
  });

  it('falls with age and rises with confidence', () => {
    fc.assert(
      fc.property(share, share, days, days, (a, b, young, old) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        const [less, more] = [Math.min(young, old), Math.max(young, old)];
        expect(decayOf(memory({ confidence: high, days: less }), nowMs)).toBeGreaterThanOrEqual(
          decayOf(memory({ confidence: low, days: less }), nowMs),
        );
        expect(decayOf(memory({ confidence: low, days: more }), nowMs)).toBeLessThanOrEqual(
          decayOf(memory({ confidence: low, days: less }), nowMs),
        );
      }),
    );
  });
});

describe('frequency and trust', () => {
  it('adds a tenth for each doubling of the accesses', () => {
    expect([0, 1, 3, 7, 1023].map(frequencyOf)).toEqual([1, 1.1, 1.2, 1.3, 2]);
  });

  it('trusts a memory of no confidence by half', () => {
    expect([0, 0.5, 1].map(trustOf)).toEqual([0.5, 0.75, 1]);
  });
});

describe('score', () => {
  it('is relevance × decay × frequency × trust at strength 1', () => {
    const { score, decay, frequency, trust } = scoreOf(0.8, memory({ accessCount: 3, days: 60 }), 1, nowMs);
    expect([decay, frequency, trust]).toEqual([0.5, 1.2, 0.75]);
    expect(score).toBeCloseTo(0.8 * 0.5 * 1.2 * 0.75, 12);
  });

  it('is relevance alone at strength 0', () => {
    expect(scoreOf(0.8, memory({ days: 3_000 }), 0, nowMs).score).toBe(0.8);
  });

  it('never falls with accesses nor with confidence, and is finite', () => {
    fc.assert(
      fc.property(share, share, share, share, days, accesses, accesses, (relevance, strength, a, b, age, few, many) => {
        const scored = (confidence: number, accessCount: number) =>
          scoreOf(relevance, memory({ confidence, accessCount, days: age }), strength, nowMs).score;
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        const [less, more] = [Math.min(few, many), Math.max(few, many)];
        expect(scored(high, less)).toBeGreaterThanOrEqual(scored(low, less));
        expect(scored(low, more)).toBeGreaterThanOrEqual(scored(low, less));
        expect(Number.isFinite(scored(low, more))).toBe(true);
      }),
    );
  });
});
