// YAML as people write it in a SKILL.md. Read strictly first; where that fails, values that a person forgot to quote (`Keywords: tail`
// inside a description) are quoted and it is read once more. Aliases and tags are refused: the ones can make a small file huge, the
// others are orders to the reader. Numbers that are not what they look like (`1.10`) stay text, so that they are written back as they came.
import { isAlias, isMap, isScalar, isSeq, type Node, parseDocument, type Scalar, visit } from 'yaml';
import { quoteLooseValues } from './quote-loose-values.ts';
import { skillFileProblem } from './skill-file-problem.ts';

const maxLevels = 64;

/** The mapping of the front matter. `firstLine` is the line of the file that it begins with. Throws `invalid_input` naming the line. */
export function readFrontMatter(front: string, firstLine: number): Map<string, unknown> {
  refuseDeepText(front, firstLine);
  const strict = parse(front, firstLine);
  if (!('problem' in strict)) return strict.fields;
  const quoted = quoteLooseValues(front);
  const lenient = quoted === front ? strict : parse(quoted, firstLine);
  if (!('problem' in lenient)) return lenient.fields;
  throw strict.problem;
}

/** The parser takes a second for ten thousand brackets, so they are counted before it sees them; in text they come in pairs. */
function refuseDeepText(front: string, firstLine: number): void {
  let level = 0;
  for (const sign of front) {
    if (sign === '[' || sign === '{') level += 1;
    else if (sign === ']' || sign === '}') level = Math.max(0, level - 1);
    if (level > maxLevels) throw tooDeep(firstLine);
  }
  if (new RegExp(`(?:[-?:][ \\t]+){${maxLevels + 1}}`).test(front)) throw tooDeep(firstLine);
}

type Parsed = { readonly fields: Map<string, unknown> } | { readonly problem: Error };

function parse(front: string, firstLine: number): Parsed {
  const lineAt = (offset: number): number => firstLine + (front.slice(0, offset).match(/\n/g)?.length ?? 0);
  try {
    const document = parseDocument(front, { version: '1.2', schema: 'core', logLevel: 'silent', prettyErrors: false });
    const [error] = document.errors;
    if (error !== undefined) {
      const hint = 'put the value between double quotes if it holds a colon or begins with a sign';
      const what = error.code === 'DUPLICATE_KEY' ? 'a name stands there twice' : 'this is no YAML';
      return { problem: skillFileProblem(`${what}; ${hint}.`, lineAt(error.pos[0])) };
    }
    const [warning] = document.warnings;
    if (warning !== undefined) {
      return {
        problem: skillFileProblem('YAML tags (!…) are not read: write the value plainly.', lineAt(warning.pos[0])),
      };
    }
    visit(document, (_key, node) => {
      if (isAlias(node))
        throw skillFileProblem('YAML aliases (*name) are not read: write the value out.', lineAt(startOf(node)));
    });
    if (!isMap(document.contents)) {
      return {
        problem: skillFileProblem('the front matter must be a mapping, such as `name: log-reader`.', firstLine),
      };
    }
    const fields = new Map<string, unknown>();
    for (const { key, value } of document.contents.items) {
      fields.set(keyOf(key), plain(value as Node | null, { level: 1, lineAt }));
    }
    return { fields };
  } catch (error) {
    // the parser walks nested brackets by calling itself
    if (error instanceof RangeError) return { problem: tooDeep(firstLine) };
    return { problem: error as Error };
  }
}

type Place = { readonly level: number; readonly lineAt: (offset: number) => number };

/** A node as plain data; null for nothing. */
function plain(node: Node | null, place: Place): unknown {
  if (place.level > maxLevels) throw tooDeep(place.lineAt(startOf(node)));
  const inside = { ...place, level: place.level + 1 };
  if (isMap(node)) {
    return Object.fromEntries(node.items.map(({ key, value }) => [keyOf(key), plain(value as Node | null, inside)]));
  }
  if (isSeq(node)) return node.items.map((item) => plain(item as Node | null, inside));
  return isScalar(node) ? scalar(node) : null;
}

/** Numbers and booleans alone that are written as they would be written back. */
function scalar({ value, source }: Scalar): unknown {
  if (typeof value !== 'number' && typeof value !== 'boolean') return value ?? null;
  return source === undefined || String(value) === source ? value : source;
}

function keyOf(key: unknown): string {
  return isScalar(key) ? String(key.source ?? key.value ?? '') : String(key);
}

function startOf(node: unknown): number {
  return (node as { range?: readonly number[] | null } | null)?.range?.[0] ?? 0;
}

function tooDeep(line: number): Error {
  return skillFileProblem(`the front matter nests deeper than ${maxLevels} levels.`, line);
}
