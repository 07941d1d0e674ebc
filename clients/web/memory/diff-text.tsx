// Two texts as one, what went and what came marked by more than colour. By words: a memory is a few sentences, not a file of lines.
import { shown } from '../parts/text.tsx';

type Part = { readonly kind: 'same' | 'gone' | 'new'; readonly text: string };

/** Beyond this many words on a side the two texts stand one below the other: the table of a diff grows with their product. */
const maxWords = 1_500;

export function DiffText({ before, after }: { before: string; after: string }) {
  return (
    <div class="diff" dir="auto">
      {diff(before, after).map((part, index) => {
        const key = `${index} ${part.kind}`;
        if (part.kind === 'gone') return <del key={key}>{shown(part.text)}</del>;
        if (part.kind === 'new') return <ins key={key}>{shown(part.text)}</ins>;
        return <span key={key}>{shown(part.text)}</span>;
      })}
    </div>
  );
}

/** Parts in order: the longest common run of words stays, the rest went or came. */
export function diff(before: string, after: string): Part[] {
  const [a, b] = [words(before), words(after)];
  if (a.length > maxWords || b.length > maxWords) {
    return [
      { kind: 'gone', text: before },
      { kind: 'new', text: after },
    ];
  }
  const lengths = commonLengths(a, b);
  const parts: Part[] = [];
  let [i, j] = [0, 0];
  const width = b.length + 1;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      push(parts, 'same', a[i] ?? '');
      i += 1;
      j += 1;
    } else if (
      j >= b.length ||
      (i < a.length && (lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0))
    ) {
      push(parts, 'gone', a[i] ?? '');
      i += 1;
    } else {
      push(parts, 'new', b[j] ?? '');
      j += 1;
    }
  }
  return parts;
}

/** Length of the longest common subsequence of the tails from each pair of places. */
function commonLengths(a: readonly string[], b: readonly string[]): Uint16Array {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        a[i] === b[j]
          ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0);
    }
  }
  return lengths;
}

function words(text: string): string[] {
  return text.match(/\s+|[^\s]+/gu) ?? [];
}

function push(parts: Part[], kind: Part['kind'], text: string): void {
  const last = parts.at(-1);
  if (last?.kind === kind) parts[parts.length - 1] = { kind, text: last.text + text };
  else parts.push({ kind, text });
}
