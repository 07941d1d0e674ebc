// From a memory file to the fields of a memory (contract, Hooks): `name` → title, `description` → context, `type`: user → preference,
// project → context, else fact; everything else that stands in the head → metadata.

import { isRecord } from '#daemon/kernel/is-record.ts';
import { cutAtWord } from '#daemon/memories/index.ts';
import { withoutPrivateSpans } from '#daemon/secrets/private-spans.ts';
import { redactSecrets } from '#daemon/secrets/redact.ts';
import { codePoints, metadata } from '#shared/contract/common.ts';
import type { MemoryType } from '#shared/contract/memory-record.ts';
import { readFrontMatter } from './front-matter.ts';

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
  const clean = withoutPrivateSpans(cleaned(text));
  if (clean.startsWith('<!-- loci:stub')) return null;
  const { fields, body } = readFrontMatter(clean);
  const { name, description, type, metadata: inner, ...rest } = fields;
  const nested = isRecord(inner) ? inner : {};
  let redactions = 0;
  const redact = (dirty: string): string => {
    const redacted = redactSecrets(dirty);
    redactions += redacted.redactions;
    return redacted.text;
  };
  const title = line(name, maxTitle, redact);
  const context = line(description, maxContext, redact);
  const said = redact(body.trim());
  const content = bounded(said === '' ? (context ?? title ?? '') : said);
  if (content.trim() === '') return null;
  const others = { ...rest, ...(inner === undefined ? {} : isRecord(inner) ? inner : { metadata: inner }) };
  return {
    title: title === content ? null : title,
    context: context === content ? null : context,
    content,
    type: typeOf(type ?? nested.type),
    metadata: kept(others, redact),
    redactions,
  };
}

/** NUL and half surrogates cannot be stored; importers strip them (contract, rule 4). */
function cleaned(text: string): string {
  return text.toWellFormed().replace(/\0|[\u{E0000}-\u{E007F}]/gu, '');
}

function typeOf(type: unknown): MemoryType {
  if (type === 'user') return 'preference';
  return type === 'project' ? 'context' : 'fact';
}

function line(value: unknown, max: number, redact: (text: string) => string): string | null {
  if (value === null || value === undefined || typeof value === 'object') return null;
  const text = redact(String(value)).replace(/\s+/g, ' ').trim();
  return text === '' ? null : cutAtWord(text, max);
}

function bounded(text: string): string {
  return text.length <= maxContent || codePoints(text) <= maxContent ? text : cutAtWord(text, maxContent);
}

/** What fits the rules of metadata; a head that does not is left out whole, the memory is not. Names beside their values give secrets away. */
function kept(fields: Readonly<Record<string, unknown>>, redact: (text: string) => string): Record<string, unknown> {
  const safe = Object.entries(fields).filter(([name]) => !unsafeNames.has(name));
  try {
    const result = metadata.safeParse(JSON.parse(redact(JSON.stringify(Object.fromEntries(safe)))));
    return result.success ? result.data : {};
  } catch {
    return {}; // the redaction took a quotation mark along
  }
}

const unsafeNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
