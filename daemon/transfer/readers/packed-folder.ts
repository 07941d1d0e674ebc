// A folder of Markdown files as the client packs it: a head line with the folder's name, then a line for each file.
import { readFrontMatter } from '#daemon/hooks/index.ts';
import { parseLine, readLines } from './lines.ts';
import { instantOf, textOf } from './read-values.ts';
import { folderMark } from './sample.ts';

export type MarkdownFile = {
  readonly line: number;
  /** Below the folder, with slashes. */
  readonly path: string;
  /** The path without folders and ending. */
  readonly name: string;
  /** The last folders of the packed folder's own path: what tells its files from those of another folder. */
  readonly folder: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly modifiedAt: string | null;
  /** The name of its project, where the client knows it. */
  readonly project: string | null;
};

const noFolder = 'this is no folder: give `loci import` the folder itself';

/** Every file of a packed folder; of a single Markdown file the client makes a folder of one. */
export function* markdownFiles(
  path: string,
  progress: (bytes: number) => void = () => undefined,
): Generator<MarkdownFile | { readonly line: number; readonly problem: string }> {
  let folder: string | null = null;
  for (const line of readLines(path, progress)) {
    const parsed = parseLine(line);
    if (folder === null && 'problem' in parsed) return yield { line: parsed.line, problem: noFolder };
    if ('problem' in parsed) {
      yield parsed;
      continue;
    }
    const { value } = parsed;
    if (folder === null) {
      if (!(folderMark in value)) {
        return yield { line: parsed.line, problem: noFolder };
      }
      folder = textOf(value.name) ?? '';
      continue;
    }
    const name = textOf(value.path);
    const problem = textOf(value.problem);
    if (name === null) yield { line: parsed.line, problem: 'the line names no file' };
    else if (problem !== null) yield { line: parsed.line, problem: `${name}: ${problem}` };
    else {
      const { fields, body } = readFrontMatter(typeof value.text === 'string' ? value.text.toWellFormed() : '');
      yield {
        line: parsed.line,
        path: name,
        name: (name.split('/').at(-1) ?? name).replace(/\.(?:md|markdown)$/i, ''),
        folder,
        fields,
        body,
        modifiedAt: instantOf(value.modified_at),
        project: textOf(value.project),
      };
    }
  }
}

/** A text field of a file's head; numbers and dates count as the text they are. */
export function fieldText(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value instanceof Date) return value.toISOString();
  return textOf(value);
}

/** A field of a file's head that may be a list, or words between commas; marks of a tag are dropped. */
export function fieldTexts(value: unknown): string[] {
  const texts = Array.isArray(value) ? value.map(fieldText) : (fieldText(value)?.split(',') ?? []);
  return texts.flatMap((text) => {
    const word = (text ?? '').trim().replace(/^#/, '');
    return word === '' ? [] : [word];
  });
}
