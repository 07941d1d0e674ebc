// From a memory file to the fields of a memory (contract, Hooks): `name` → title, `description` → context, `type`: user → preference,
// project → context, else fact; everything else that stands in the head → metadata.

import { cutAtWord } from '#daemon/memories/index.ts';
import { redactSecrets } from '#daemon/secrets/redact.ts';
import { codePoints, metadata } from '#shared/contract/common.ts';
import type { MemoryType } from '#shared/contract/memory-record.ts';
import { type Fields, type FieldValue, readFrontMatter } from './front-matter.ts';

export type MemoryFile = {
  readonly title: string | null;
  readonly context: string | null;
  readonly content: string;
  readonly type: MemoryType;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly redactions: number;
};

const maxContent = 20_000;
const maxContext = 2_000;
const maxTitle = 200;

/** Null for a file that says nothing, and for the stub of a compressed one: its text is a memory already. */
export function readMemoryFile(text: string): MemoryFile | null {
  const { fields, body } = readFrontMatter(cleaned(text));
  if ('loci_memory' in fields || /<!--\s*loci:(?:stub|memory)\b/.test(body)) return null;
  const { name, description, type, metadata: inner, ...rest } = fields;
  const nested = isMapping(inner) ? inner : {};
  const found = redactSecrets(withoutPrivate(body).trim());
  const title = line(name, maxTitle);
  const context = line(description, maxContext);
  const content = bounded(found.text === '' ? (context ?? title ?? '') : found.text);
  if (content.trim() === '') return null;
  return {
    title: title === null ? null : redactSecrets(title).text,
    context: context === null || context === content ? null : redactSecrets(context).text,
    content,
    type: typeOf(type ?? nested.type),
    metadata: kept({ ...rest, ...(inner === undefined ? {} : isMapping(inner) ? inner : { metadata: inner }) }),
    redactions: found.redactions,
  };
}

/** NUL and half surrogates cannot be stored; importers strip them (contract, rule 4). */
function cleaned(text: string): string {
  return text.toWellFormed().replace(/\0|[\u{E0000}-\u{E007F}]/gu, '');
}

function withoutPrivate(text: string): string {
  return text.replace(/<private>[\s\S]*?(?:<\/private>|$)/gi, '');
}

function typeOf(type: FieldValue | undefined): MemoryType {
  if (type === 'user') return 'preference';
  return type === 'project' ? 'context' : 'fact';
}

function line(value: FieldValue | undefined, max: number): string | null {
  if (value === null || value === undefined || typeof value === 'object') return null;
  const text = String(value).replace(/\s+/g, ' ').trim();
  return text === '' ? null : cutAtWord(text, max);
}

function bounded(text: string): string {
  return text.length <= maxContent || codePoints(text) <= maxContent ? text : cutAtWord(text, maxContent);
}

/** What fits the rules of metadata; a head that does not is left out whole, the memory is not. */
function kept(fields: Fields): Record<string, unknown> {
  const redacted = JSON.parse(redactSecrets(JSON.stringify(fields)).text) as unknown;
  const result = metadata.safeParse(redacted);
  return result.success ? result.data : {};
}

function isMapping(value: FieldValue | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
