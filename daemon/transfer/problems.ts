// What could not be taken, as it is told: the first thousand with their lines, the rest as a number.

export type Problem = {
  readonly line: number | null;
  readonly kind: string | null;
  readonly uid: string | null;
  readonly problem: string;
};

export type Problems = {
  add(problem: Problem): void;
  readonly list: readonly Problem[];
  readonly count: number;
};

const maxKept = 1_000;

export function createProblems(): Problems {
  const list: Problem[] = [];
  let count = 0;
  return {
    list,
    get count() {
      return count;
    },
    add(problem) {
      count += 1;
      if (list.length < maxKept) list.push(problem);
    },
  };
}
