// Where the front matter of a SKILL.md ends and its body begins. Files come from every editor: with a byte order mark, with CRLF, with
// blank lines before the first fence. What a fence says is never obeyed: `---js` makes some libraries run the file.
import { skillFileProblem } from './skill-file-problem.ts';

export type SkillParts = {
  /** The YAML between the fences. */
  readonly front: string;
  /** Number of the line in the file that `front` begins with, from 1. */
  readonly frontLine: number;
  /** Everything after the line of the second fence. */
  readonly rest: string;
};

/** More than all fields at their limits need. A parser of YAML takes time by the square of what is wrong with it. */
const maxFrontLength = 48 * 1024;

/** Throws `invalid_input` for a text without front matter, and for a fence that asks for another language. */
export function splitSkillMd(text: string): SkillParts {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  const first = lines.findIndex((line) => line.trim() !== '');
  const fence = lines[first]?.trim() ?? '';
  if (/^---+\s*[\p{L}\p{N}]/u.test(fence)) {
    throw skillFileProblem(
      `the front matter must be YAML between lines of ---; '${fence.slice(0, 40)}' is not read.`,
      first + 1,
    );
  }
  if (fence !== '---') {
    throw skillFileProblem(
      'it must begin with YAML front matter between lines of ---: name and description.',
      first + 1,
    );
  }
  const length = lines.slice(first + 1).findIndex((line) => /^---[ \t]*\r?$/.test(line));
  if (length === -1) {
    throw skillFileProblem('the front matter has no end: close it with a line of ---.', first + 1);
  }
  const front = lines
    .slice(first + 1, first + 1 + length)
    .map((line) => line.replace(/\r$/, ''))
    .join('\n');
  if (front.length > maxFrontLength) {
    throw skillFileProblem('the front matter is longer than 48 KB: long texts belong into the body.', first + 1);
  }
  return { front, frontLine: first + 2, rest: lines.slice(first + 2 + length).join('\n') };
}

/** The body as it is stored: without the blank lines around it. */
export function trimmedBody(rest: string): string {
  return rest.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd();
}
