import type { Finding } from './figures.ts';
import type { Workshop } from './workshop.ts';

/** One thing to measure. Those that take many minutes run only when they are named, or with `--long`. */
export type Bench = {
  readonly name: string;
  readonly isLong?: boolean;
  readonly run: (workshop: Workshop) => Promise<Finding[]>;
};
