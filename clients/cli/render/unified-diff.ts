// The lines that a change of a text file takes out and puts in, with two lines around them: what a person must see before they agree.

export type DiffLine = { readonly sign: ' ' | '+' | '-' | '@'; readonly text: string };

const contextLines = 2;
/** Beyond this many pairs of lines the middle is shown as replaced whole. */
const maxPairs = 4_000_000;

/** The lines of a unified diff; `@` stands between parts that are apart. Empty for equal texts. */
export function unifiedDiff(before: string, after: string): DiffLine[] {
  const [old, next] = [linesOf(before), linesOf(after)];
  let head = 0;
  while (head < old.length && head < next.length && old[head] === next[head]) head += 1;
  let tail = 0;
  const most = Math.min(old.length, next.length) - head;
  while (tail < most && old[old.length - 1 - tail] === next[next.length - 1 - tail]) tail += 1;
  const same = (lines: readonly string[]): DiffLine[] => lines.map((text) => ({ sign: ' ', text }));
  return nearChanges([
    ...same(old.slice(0, head)),
    ...middle(old.slice(head, old.length - tail), next.slice(head, next.length - tail)),
    ...same(old.slice(old.length - tail)),
  ]);
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** By the longest common subsequence. */
function middle(old: readonly string[], next: readonly string[]): DiffLine[] {
  if (old.length * next.length > maxPairs) {
    return [
      ...old.map((text): DiffLine => ({ sign: '-', text })),
      ...next.map((text): DiffLine => ({ sign: '+', text })),
    ];
  }
  const width = next.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = next.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = old[i] === next[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < next.length) {
    const [gone, come] = [old[i], next[j]];
    if (gone !== undefined && gone === come) {
      lines.push({ sign: ' ', text: gone });
      i += 1;
      j += 1;
    } else if (gone !== undefined && (come === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ sign: '-', text: gone });
      i += 1;
    } else {
      lines.push({ sign: '+', text: come ?? '' });
      j += 1;
    }
  }
  return lines;
}

function nearChanges(lines: readonly DiffLine[]): DiffLine[] {
  const near = new Set<number>();
  lines.forEach(({ sign }, index) => {
    if (sign !== ' ') for (let at = index - contextLines; at <= index + contextLines; at += 1) near.add(at);
  });
  const shown: DiffLine[] = [];
  lines.forEach((line, index) => {
    if (!near.has(index)) return;
    if (index > 0 && !near.has(index - 1)) shown.push({ sign: '@', text: '' });
    shown.push(line);
  });
  return shown;
}
