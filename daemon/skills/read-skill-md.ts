// A SKILL.md as the fields of a skill. What the format knows becomes its field; any other name goes below `metadata`, so that nothing
// is lost; what an export of ours kept below `metadata.loci` becomes a field again.
import { cleanText } from '#daemon/kernel/clean-text.ts';
import { readArguments } from '#daemon/kernel/read-arguments.ts';
import { issuesToError } from '#daemon/kernel/refusals.ts';
import { createSkill } from '#shared/contract/knowledge/skills.ts';
import { LociError } from '#shared/errors.ts';
import { type Kept, readKept } from './kept-fields.ts';
import { readFrontMatter } from './read-front-matter.ts';
import { skillFileProblem } from './skill-file-problem.ts';
import { reservedName, type SkillInput } from './skill-input.ts';
import { splitSkillMd, trimmedBody } from './split-skill-md.ts';

export type SkillFile = {
  readonly input: SkillInput;
  /** What the file says beyond the fields of the format. */
  readonly kept: Kept;
};

/** Reads a file. Throws `invalid_input` that names line or field. */
export function readSkillMd(text: string): SkillFile {
  const { front, frontLine, rest } = splitSkillMd(text);
  const fields = readFrontMatter(cleanText(front) as string, frontLine);
  for (const name of ['name', 'description']) {
    if (textOf(fields.get(name)) === undefined)
      throw skillFileProblem(`the front matter must say \`${name}\`.`, frontLine);
  }
  const { kept, metadata } = readKept(metadataOf(fields, frontLine));
  const body = kept.exactBody ? rest.replace(/^\r?\n/, '').replace(/\n$/, '') : trimmedBody(rest);
  if (body.trim() === '')
    throw skillFileProblem('there is nothing below the front matter: write the steps there.', null);
  const input = {
    name: textOf(fields.get('name')),
    description: textOf(fields.get('description')),
    content: body,
    license: textOf(fields.get('license')),
    compatibility: textOf(fields.get('compatibility')),
    allowed_tools: toolsOf(fields.get('allowed-tools') ?? fields.get('allowed_tools')),
    tags: tagsOf(fields.get('tags')),
    metadata,
    ...kept.fields,
  };
  return { input: checked(input), kept };
}

const known: ReadonlySet<string> = new Set([
  'name',
  'description',
  'license',
  'compatibility',
  'metadata',
  'tags',
  'allowed-tools',
  'allowed_tools',
]);

/** The file's `metadata`, and every name that is no field of the format. */
function metadataOf(fields: ReadonlyMap<string, unknown>, line: number): Record<string, unknown> {
  const given = fields.get('metadata') ?? {};
  if (typeof given !== 'object' || Array.isArray(given)) throw skillFileProblem('`metadata` must be a mapping.', line);
  const metadata = new Map(Object.entries(given as object));
  for (const [name, value] of fields) {
    if (known.has(name)) continue;
    if (metadata.has(name) || name === reservedName) {
      throw skillFileProblem(`\`${name}\` stands at the top and below metadata: keep one of them.`, line);
    }
    metadata.set(name, value);
  }
  return Object.fromEntries(metadata);
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** A list, or one text of tools between spaces or commas; what stands in brackets stays together: `Bash(git add:*) Read`. */
function toolsOf(value: unknown): unknown {
  if (typeof value !== 'string') return listOf(value);
  return value.match(/(?:[^\s,()]|\([^)]*\))+/g) ?? [];
}

function tagsOf(value: unknown): unknown {
  return typeof value === 'string' ? value.split(',').map((tag) => tag.trim()) : listOf(value);
}

function listOf(value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  return Array.isArray(value) ? value.map((item: unknown) => textOf(item) ?? item) : value;
}

/** Held against the contract of `create_skill`, so that a file may say no more than a caller. */
function checked(input: Record<string, unknown>): SkillInput {
  const present = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  const read = readArguments(createSkill.input, present, { nullIsAbsent: true });
  const result = createSkill.input.safeParse(read);
  if (result.success) return result.data;
  const { message, details } = issuesToError(result.error.issues, createSkill.input, read);
  throw new LociError('invalid_input', `SKILL.md: ${message}`, { skill_md_content: message, ...details });
}
