// How old a memory is, in words that a person filters by: the daemon counts them over everything, the page over what it has found.
const dayMs = 24 * 60 * 60 * 1000;

/** Bands of age, youngest first, each with its upper end in milliseconds; what is older than all is `older`. */
export const ageBands = [
  ['day', dayMs],
  ['week', 7 * dayMs],
  ['month', 30 * dayMs],
  ['quarter', 90 * dayMs],
  ['year', 365 * dayMs],
] as const;
