// "Did you mean …?": a typing slip in a field, a setting or a command is answered with the name that was meant.

/** The known name at the smallest edit distance if that is small for the word's length, else the first that begins with the word. */
export function nearest(word: string, known: readonly string[]): string | null {
  const lower = word.toLowerCase();
  let best: string | null = null;
  let bestDistance = (word.length <= 3 ? 1 : Math.max(2, Math.floor(word.length / 3))) + 1;
  for (const candidate of known) {
    const distance = editDistance(lower, candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best ?? (word.length < 3 ? null : (known.find((name) => name.toLowerCase().startsWith(lower)) ?? null));
}

/** Levenshtein distance, one row at a time; words over 64 characters are never near. */
function editDistance(a: string, b: string): number {
  if (a.length > 64 || b.length > 64) return 65;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
