// Stored text on the page. It only ever becomes text nodes; characters that would hide or turn round what stands there are shown
// as what they are, and `bdi` keeps a text's own direction from reaching its neighbours.
import type { ComponentChildren } from 'preact';

/** Controls but tab and line feed, and marks that reorder or hide text. */
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** The text with what cannot be seen made visible: `⟨202E⟩`. */
export function shown(text: string): string {
  return text.replace(hidden, (char) => `⟨${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`);
}

/** Stored text, the words of `query` marked in it. */
export function Text({ of, query = '' }: { of: string; query?: string }) {
  return <bdi>{query === '' ? shown(of) : marked(shown(of), query)}</bdi>;
}

/** Long text as it was written, line breaks kept. */
export function Prose({ of }: { of: string }) {
  return (
    <div class="prose" dir="auto">
      {shown(of)}
    </div>
  );
}

/** Marks where a word of the query begins a word of the text, any case and accents as written. */
function marked(text: string, query: string): ComponentChildren {
  const words = [
    ...new Set(
      query
        .normalize('NFKC')
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu) ?? [],
    ),
  ]
    .filter((word) => word.length > 1 || /[^\p{ASCII}]/u.test(word))
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace(/(?:ing|ed|es|s)$/u, (end) => (word.length - end.length >= 4 ? '' : end)));
  if (words.length === 0) return text;
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})[\\p{L}\\p{N}]*`, 'giu');
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    parts.push(text.slice(end, match.index), <mark>{match[0]}</mark>);
    end = match.index + match[0].length;
  }
  return [...parts, text.slice(end)];
}
