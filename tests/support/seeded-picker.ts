/** Picks from lists by a sequence of numbers that the seed alone decides (mulberry32). */
export function seededPicker(seed: number): (from: readonly string[]) => string {
  let state = seed >>> 0;
  return (from) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return from[((mixed ^ (mixed >>> 14)) >>> 0) % from.length] ?? '';
  };
}
