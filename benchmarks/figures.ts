// Numbers and what they are held against. The machine that measures is seldom idle, so a bar is a ratio inside one run where it can be:
// the thing and its yardstick are measured in turns, and a ratio is the median over the pairs.

export type Finding = {
  readonly what: string;
  readonly bar: string;
  /** The median, or the one number that was measured. */
  readonly measured: string;
  /** From the least to the greatest, where several were measured. */
  readonly range: string;
  /** What the ratio is taken of, with its median. */
  readonly yardstick: string;
  readonly ratio: number | null;
  readonly isMet: boolean;
};

export type Yardstick = { readonly name: string; readonly values: readonly number[] };

type Unit = 'ms' | 'MB';

/** A ratio of things measured in turns with a yardstick; met at `atMost` or below. */
export function ratioFinding(given: {
  readonly what: string;
  readonly atMost: number;
  readonly values: readonly number[];
  readonly yardstick: Yardstick;
  readonly unit?: Unit;
}): Finding {
  const { what, atMost, values, yardstick, unit = 'ms' } = given;
  const ratio = median(values.map((value, index) => value / (yardstick.values[index] ?? Number.NaN)));
  return {
    what,
    bar: `≤ ${atMost} × ${yardstick.name}`,
    measured: amount(median(values), unit),
    range: rangeOf(values),
    yardstick: amount(median(yardstick.values), unit),
    ratio,
    isMet: ratio <= atMost,
  };
}

/** A size or time of its own; met at `atMost` or below. `of` says which number of the values counts. */
export function limitFinding(given: {
  readonly what: string;
  readonly atMost: number;
  readonly values: readonly number[];
  readonly of?: 'median' | 'p95' | 'max';
  readonly unit?: Unit;
}): Finding {
  const { what, atMost, values, of = 'median', unit = 'ms' } = given;
  const value = of === 'median' ? median(values) : of === 'p95' ? percentile(values, 0.95) : Math.max(...values);
  return {
    what,
    bar: `≤ ${amount(atMost, unit)}${of === 'median' ? '' : ` ${of}`}`,
    measured: amount(value, unit),
    range: rangeOf(values),
    yardstick: '',
    ratio: null,
    isMet: value <= atMost,
  };
}

/** A count that must come out exactly. */
export function countFinding(what: string, wanted: string, found: string): Finding {
  return { what, bar: wanted, measured: found, range: '', yardstick: '', ratio: null, isMet: found === wanted };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export function amount(value: number, unit: Unit): string {
  return `${value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)} ${unit}`;
}

function rangeOf(values: readonly number[]): string {
  if (values.length < 2) return '';
  const short = (value: number): string => (value >= 10 ? value.toFixed(0) : value.toFixed(1));
  return `${short(Math.min(...values))}–${short(Math.max(...values))}`;
}
