import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { daysUntilDecay, decayOf, frequencyOf, type Lived, scoreOf, trustOf } from '#daemon/retrieval/score.ts';

const dayMs = 86_400_000;
const nowMs = Date.UTC(2026, 5, 1);
const rule = { decayStrength: 1, halfLifeDays: 30 };

function aged(days: number, confidence: number, accessCount = 0): Lived {
  return { createdAtMs: nowMs - days * dayMs, lastAccessedAtMs: null, confidence, accessCount };
}

describe('the worked examples of the contract', () => {
  it.each([
    ['fresh', 0, 0.5, 1],
    ['a save after one half-life', 30, 0.5, 0.5 ** 0.5],
    ['no confidence after one half-life', 30, 0, 0.5],
    ['a save at the edge of fading', 104.2, 0.5, 0.3],
    ['a save at the edge of archiving', 199.3, 0.5, 0.1],
    ['a checkpoint after 90 days', 90, 0.65, 0.125 ** 0.35],
    ['a debate after 200 days: still above .1', 200, 0.85, 0.5 ** 1],
    ['a human after 400 days', 400, 0.95, 0.5 ** (2 / 3)],
    ['full confidence', 100_000, 1, 1],
  ])('decay of %s', (_what, days, confidence, decay) => {
    expect(decayOf(aged(days, confidence), nowMs, 30)).toBeCloseTo(decay, 3);
  });

  it('frequency and trust', () => {
    expect([0, 1, 3, 7, 1023].map(frequencyOf)).toEqual([1, 1.1, 1.2, 1.3, 2]);
    expect([0, 0.5, 0.85, 1].map(trustOf)).toEqual([0.5, 0.75, 0.925, 1]);
  });

  it('the score is the product at strength 1, the relevance at strength 0, and in between in proportion', () => {
    const memory = aged(60, 0.5, 3);
    const product = 0.8 * 0.5 * 1.2 * 0.75;
    expect(scoreOf(0.8, memory, rule, nowMs).score).toBeCloseTo(product, 12);
    expect(scoreOf(0.8, memory, { ...rule, decayStrength: 0 }, nowMs).score).toBe(0.8);
    expect(scoreOf(0.8, memory, { ...rule, decayStrength: 0.25 }, nowMs).score).toBeCloseTo(
      0.75 * 0.8 + 0.25 * product,
      12,
    );
  });

  it('ages since the last access where there was one', () => {
    const memory = { ...aged(300, 0.5), lastAccessedAtMs: nowMs - 30 * dayMs };
    expect(decayOf(memory, nowMs, 30)).toBeCloseTo(0.5 ** 0.5, 12);
  });
});

describe('for every memory', () => {
  const lived = fc.record({
    createdAtMs: fc.integer({ min: nowMs - 4000 * dayMs, max: nowMs + 4000 * dayMs }),
    lastAccessedAtMs: fc.option(fc.integer({ min: nowMs - 4000 * dayMs, max: nowMs + 4000 * dayMs })),
    confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    accessCount: fc.nat(1_000_000),
  });
  const halfLife = fc.double({ min: 0.1, max: 36_500, noNaN: true });

  it('decay is from 0 to 1', () => {
    fc.assert(
      fc.property(lived, halfLife, (memory, days) => {
        const decay = decayOf(memory, nowMs, days);
        return decay >= 0 && decay <= 1;
      }),
    );
  });

  it('B20 an age below zero is zero, so a time in the future is worth no more than now', () => {
    fc.assert(
      fc.property(lived, fc.integer({ min: 0, max: 3650 }), (memory, days) => {
        const future = { ...memory, createdAtMs: nowMs + days * dayMs, lastAccessedAtMs: null };
        expect(decayOf(future, nowMs, 30)).toBe(1);
        expect(scoreOf(0.5, future, rule, nowMs)).toEqual(scoreOf(0.5, { ...future, createdAtMs: nowMs }, rule, nowMs));
      }),
    );
  });

  it('the score never falls with confidence or with accesses, and never rises with age', () => {
    fc.assert(
      fc.property(
        lived,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat(1000),
        fc.nat(1000),
        (memory, other, more, days) => {
          const score = (changed: Partial<Lived>) => scoreOf(0.7, { ...memory, ...changed }, rule, nowMs).score;
          const [lower, higher] = [Math.min(memory.confidence, other), Math.max(memory.confidence, other)];
          expect(score({ confidence: higher })).toBeGreaterThanOrEqual(score({ confidence: lower }));
          expect(score({ accessCount: memory.accessCount + more })).toBeGreaterThanOrEqual(score({}));
          const older = scoreOf(0.7, memory, rule, nowMs + days * dayMs).score;
          expect(older).toBeLessThanOrEqual(score({}) + 1e-12);
        },
      ),
    );
  });

  it('the days until a decay are the days after which the decay is that', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        fc.double({ min: 0, max: 0.95, noNaN: true }),
        fc.double({ min: 1, max: 400, noNaN: true }),
        (target, confidence, halfLifeDays) => {
          const days = daysUntilDecay(target, confidence, halfLifeDays);
          const memory = { createdAtMs: 0, lastAccessedAtMs: null, confidence };
          expect(decayOf(memory, days * dayMs, halfLifeDays)).toBeCloseTo(target, 9);
        },
      ),
    );
    expect(daysUntilDecay(0.3, 1, 30)).toBe(Number.POSITIVE_INFINITY);
  });
});
