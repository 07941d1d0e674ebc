// Fits weights to judged candidates by Newton's method: convex, no randomness, the same numbers on every machine.
// Two losses: `logistic` asks of each candidate alone whether it is right; `listwise` asks which candidates of a query are,
// which is what ranking needs. Every query weighs the same, however many candidates it has.

export type Judged = {
  /** A row of features for each candidate of one query. */
  readonly rows: readonly (readonly number[])[];
  readonly right: readonly boolean[];
};

export type Fit = { readonly bias: number; readonly values: number[] };

type Flat = { readonly x: Float64Array; readonly rows: number; readonly right: readonly boolean[] };
/** Sums of one pass: the slope of the loss and its curvature (upper triangle, row by row). */
type Sums = { readonly slope: Float64Array; readonly curve: Float64Array };

const iterations = 40;

/** Probability of being right, each candidate by itself; `bias` is fitted. `ridge` holds the weights near zero. */
export function fitLogistic(queries: readonly Judged[], ridge = 1e-6): Fit {
  const flat = queries.map(({ rows, right }) =>
    flatten(
      rows.map((row) => [...row, 1]),
      right,
    ),
  );
  const size = (queries[0]?.rows[0]?.length ?? 0) + 1;
  const theta = newton(size, queries.length, ridge, (weights, sums) => {
    for (const { x, rows, right } of flat) {
      for (let row = 0; row < rows; row += 1) {
        const p = 1 / (1 + Math.exp(-dot(x, row * size, weights)));
        const y = right[row] === true ? 1 : 0;
        accumulate(x, row * size, size, (p - y) / rows, (p * (1 - p)) / rows, sums);
      }
    }
  });
  return { bias: theta[size - 1] ?? 0, values: [...theta.subarray(0, size - 1)] };
}

/** Share of a query's choice that falls on the right candidates (conditional logit); queries without a right candidate say nothing. */
export function fitListwise(queries: readonly Judged[], ridge = 1e-4): Fit {
  const judged = queries.filter(({ right }) => right.some(Boolean)).map(({ rows, right }) => flatten(rows, right));
  const size = queries[0]?.rows[0]?.length ?? 0;
  const mean = new Float64Array(size);
  const theta = newton(size, judged.length, ridge, (weights, sums) => {
    for (const { x, rows, right } of judged) {
      const scores = Float64Array.from({ length: rows }, (_, row) => dot(x, row * size, weights));
      const top = scores.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
      const masses = scores.map((score) => Math.exp(score - top));
      const total = masses.reduce((a, b) => a + b, 0);
      const share = 1 / right.filter(Boolean).length;
      mean.fill(0);
      for (let row = 0; row < rows; row += 1) {
        const p = (masses[row] ?? 0) / total;
        accumulate(x, row * size, size, p - (right[row] === true ? share : 0), p, sums);
        for (let i = 0; i < size; i += 1) mean[i] = (mean[i] as number) + p * (x[row * size + i] as number);
      }
      accumulate(mean, 0, size, 0, -1, sums);
    }
  });
  return { bias: 0, values: [...theta] };
}

function flatten(rows: readonly (readonly number[])[], right: readonly boolean[]): Flat {
  return { x: Float64Array.from(rows.flat()), rows: rows.length, right };
}

function newton(
  size: number,
  count: number,
  ridge: number,
  sumUp: (weights: Float64Array, sums: Sums) => void,
): Float64Array {
  const weights = new Float64Array(size);
  for (let step = 0; step < iterations; step += 1) {
    const sums: Sums = { slope: new Float64Array(size), curve: new Float64Array(size * size) };
    sumUp(weights, sums);
    const matrix = Array.from({ length: size }, (_, i) =>
      Array.from({ length: size }, (_, j) => {
        const curve = sums.curve[Math.min(i, j) * size + Math.max(i, j)] as number;
        return i === j ? curve + ridge * count : curve;
      }),
    );
    const change = solve(
      matrix,
      Array.from(sums.slope, (slope, i) => slope + ridge * count * (weights[i] as number)),
    );
    const largest = Math.max(...change.map(Math.abs));
    // a long step from far away may overshoot: the first ones are shortened
    const scale = Math.min(1, 4 / Math.max(1e-12, largest));
    for (let i = 0; i < size; i += 1) weights[i] = (weights[i] as number) - scale * (change[i] as number);
    if (largest < 1e-7) break;
  }
  return weights;
}

function accumulate(x: Float64Array, at: number, size: number, slope: number, curve: number, sums: Sums): void {
  for (let i = 0; i < size; i += 1) {
    const xi = x[at + i] as number;
    if (xi === 0) continue;
    sums.slope[i] = (sums.slope[i] as number) + slope * xi;
    const weighted = curve * xi;
    for (let j = i; j < size; j += 1) {
      sums.curve[i * size + j] = (sums.curve[i * size + j] as number) + weighted * (x[at + j] as number);
    }
  }
}

/** Gaussian elimination with pivoting; changes what it is given. */
function solve(matrix: number[][], right: number[]): number[] {
  const size = right.length;
  const rows = matrix.map((row, i) => [...row, right[i] ?? 0]);
  for (let column = 0; column < size; column += 1) {
    let pivot = column;
    for (let i = column + 1; i < size; i += 1) {
      if (Math.abs(rows[i]?.[column] ?? 0) > Math.abs(rows[pivot]?.[column] ?? 0)) pivot = i;
    }
    [rows[column], rows[pivot]] = [rows[pivot] ?? [], rows[column] ?? []];
    const lead = rows[column] ?? [];
    for (const row of rows.slice(column + 1)) {
      const factor = (row[column] ?? 0) / (lead[column] ?? 1);
      for (let k = column; k <= size; k += 1) row[k] = (row[k] ?? 0) - factor * (lead[k] ?? 0);
    }
  }
  const solution = new Array<number>(size).fill(0);
  for (let i = size - 1; i >= 0; i -= 1) {
    const row = rows[i] ?? [];
    const known = solution.reduce((sum, value, j) => (j > i ? sum + value * (row[j] ?? 0) : sum), 0);
    solution[i] = ((row[size] ?? 0) - known) / (row[i] ?? 1);
  }
  return solution;
}

function dot(x: Float64Array, at: number, weights: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i += 1) sum += (x[at + i] as number) * (weights[i] as number);
  return sum;
}
