// What time and trust do to a memory. The four formulas are exact and public (contract, lifecycle); everything here is pure.
// Age decides among near-equals only: multiplied into relevance in full it took nDCG from .53 to .15, so the share that it has is a setting.

const dayMs = 24 * 60 * 60 * 1000;

export type Lived = {
  /** 0–1. */
  readonly confidence: number;
  readonly accessCount: number;
  readonly createdAtMs: number;
  readonly lastAccessedAtMs: number | null;
};

export type ScoreFactors = {
  readonly decay: number;
  readonly frequency: number;
  readonly trust: number;
  readonly score: number;
};

/**
 * `(0.5 ^ (days / halfLifeDays)) ^ (1 − confidence)`; days since the last access, else since creation; an age below zero is zero.
 * `halfLifeDays` is the setting `decay.half_life_days`: days without an access until a memory of no confidence has half its strength.
 */
export function decayOf(memory: Omit<Lived, 'accessCount'>, nowMs: number, halfLifeDays: number): number {
  const sinceMs = memory.lastAccessedAtMs ?? memory.createdAtMs;
  const days = Math.max(0, nowMs - sinceMs) / dayMs;
  return (0.5 ** (days / halfLifeDays)) ** (1 - memory.confidence);
}

/** Days without an access until the decay of a memory is `target` (0–1); infinite for one that never fades. */
export function daysUntilDecay(target: number, confidence: number, halfLifeDays: number): number {
  return confidence >= 1 ? Number.POSITIVE_INFINITY : (halfLifeDays * Math.log2(1 / target)) / (1 - confidence);
}

/** `log2(accesses + 1) / 10 + 1`. */
export function frequencyOf(accessCount: number): number {
  return Math.log2(accessCount + 1) / 10 + 1;
}

/** `0.5 + 0.5 × confidence`. */
export function trustOf(confidence: number): number {
  return 0.5 + 0.5 * confidence;
}

export type ScoreRule = {
  /** Setting `ranking.decay_strength`, 0–1: how much of the score age and use decide. */
  readonly decayStrength: number;
  /** Setting `decay.half_life_days`. */
  readonly halfLifeDays: number;
};

/** `relevance × ((1 − s) + s × decay × frequency × trust)`, with every factor; s is `rule.decayStrength`. */
export function scoreOf(relevance: number, memory: Lived, rule: ScoreRule, nowMs: number): ScoreFactors {
  const { decayStrength: strength, halfLifeDays } = rule;
  const decay = decayOf(memory, nowMs, halfLifeDays);
  const frequency = frequencyOf(memory.accessCount);
  const trust = trustOf(memory.confidence);
  return { decay, frequency, trust, score: relevance * (1 - strength + strength * decay * frequency * trust) };
}
