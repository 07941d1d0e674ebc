// How notes link to each other: by `[[name]]`, where a name is a path, a title, an alias or a permalink, or by a Markdown link to the path
// of the other, seen from the folder of the note. What stands in code is no link.
import { posix } from 'node:path';
import { fieldText, fieldTexts, type MarkdownFile } from './packed-folder.ts';

export type NoteNames = {
  /** Takes a note up under each of its names; the first note of a name keeps it. */
  add(file: MarkdownFile): void;
  has(file: MarkdownFile): boolean;
  /** Paths of the other notes that a note links to, each once. */
  targetsOf(file: MarkdownFile): Set<string>;
};

const wikiLink = /!?\[\[([^\]|#^\n]{1,300})(?:[#^][^\]|\n]{0,300})?(?:\|[^\]\n]{0,300})?\]\]/g;
const markdownLink =
  /(?<!!)\[[^\]\n]{0,300}\]\((?:<([^>\n]{1,500})>|([^\s()]{1,500}(?:\([^\s()]{0,100}\)[^\s()]{0,100})?))/g;

export function createNoteNames(): NoteNames {
  const pathsByName = new Map<string, string>();
  const pathsByPath = new Map<string, string>();
  return {
    add(file) {
      pathsByPath.set(keyOf(file.path), file.path);
      for (const name of namesOf(file)) if (!pathsByName.has(name)) pathsByName.set(name, file.path);
    },
    has: ({ path }) => pathsByPath.has(keyOf(path)),
    targetsOf({ path, body }) {
      const text = withoutCode(body);
      const named = [...text.matchAll(wikiLink)].map(([, name = '']) => pathsByName.get(keyOf(name)));
      const led = [...text.matchAll(markdownLink)].map(([, bracketed, plain]) => {
        const target = pathFrom(path, bracketed ?? plain ?? '');
        return target === null ? undefined : pathsByPath.get(keyOf(target));
      });
      return new Set([...named, ...led].filter((found) => found !== undefined && found !== path) as string[]);
    },
  };
}

/** The text with its blocks and spans of code taken out. */
export function withoutCode(text: string): string {
  return text.replace(/```[\s\S]*?(?:```|$)|`[^`\n]*`/g, ' ');
}

/** Where a Markdown link of a note leads, below the folder of all notes; null where it leaves that, or the machine. */
function pathFrom(path: string, target: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target) || target.startsWith('#')) return null;
  const [bare = ''] = target.split(/[?#]/, 1);
  const plain = decoded(bare);
  const led = posix.normalize(plain.startsWith('/') ? plain.slice(1) : posix.join(posix.dirname(path), plain));
  return led.startsWith('../') ? null : led;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** By what other notes may call this one. */
function namesOf({ path, name, fields }: MarkdownFile): string[] {
  const names = [
    path.replace(/\.(?:md|markdown)$/i, ''),
    name,
    fieldText(fields.title),
    fieldText(fields.name),
    fieldText(fields.permalink),
    ...fieldTexts(fields.aliases ?? fields.alias),
  ];
  return names.flatMap((one) => (one === null ? [] : [keyOf(one)]));
}

function keyOf(name: string): string {
  return name
    .trim()
    .replace(/\.(?:md|markdown)$/i, '')
    .normalize('NFKC')
    .toLowerCase();
}
