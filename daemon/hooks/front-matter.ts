// The head of a memory file as agents write it: YAML in name, but often with sentences that YAML refuses (`description: note: see below`).
// So it is read as YAML first, and where that fails, each line for what its writer meant: the first `: ` ends the key, the rest is its text.
// Aliases are never followed: a few of them can be multiplied into gigabytes, and no memory file needs one.
import { isAlias, parseDocument, visit } from 'yaml';
import { isRecord } from '#daemon/kernel/is-record.ts';

export type FrontMatter = { readonly fields: Readonly<Record<string, unknown>>; readonly body: string };

/** A longer head is none. */
const maxHeadChars = 64 * 1024;
const maxLevels = 64;

/** A file without a head has no fields and is all body. A byte order mark and CR line ends are taken for what they are. */
export function readFrontMatter(text: string): FrontMatter {
  const plain = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const found = /^---[ \t]*\n(?:([\s\S]*?)\n)?(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(plain);
  const head = found?.[1] ?? '';
  if (found === null || head.length > maxHeadChars) return { fields: {}, body: plain };
  return { fields: asYaml(head) ?? asYaml(quoted(head)) ?? asLines(head), body: plain.slice(found[0].length) };
}

/** Null where it is no YAML mapping, or one with aliases or too many levels. */
function asYaml(head: string): Record<string, unknown> | null {
  try {
    const document = parseDocument(head, { schema: 'core', uniqueKeys: false, logLevel: 'silent', stringKeys: true });
    let isRefused = document.errors.length > 0;
    visit(document, (_key, node, path) => {
      if (!isAlias(node) && path.length <= maxLevels * 2) return undefined;
      isRefused = true;
      return visit.BREAK;
    });
    const value: unknown = isRefused ? null : document.toJS({ maxAliasCount: 0 });
    return isRecord(value) ? value : null;
  } catch {
    return null; // nested beyond what the parser's stack takes
  }
}

const keyLine = /^(\s*)([\w.-][^:\n]*?)\s*:[ \t]+(?!["'|>[{])(.+)$/;

/** The same lines with each plain sentence in quotes. */
function quoted(head: string): string {
  return head
    .split('\n')
    .map((line) => {
      const [, indent = '', key = '', value = ''] = keyLine.exec(line) ?? [];
      return key === '' ? line : `${indent}${key}: ${JSON.stringify(value.trim())}`;
    })
    .join('\n');
}

/** Keys of the first level and their lines, as texts. */
function asLines(head: string): Record<string, unknown> {
  const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  let last: string | null = null;
  for (const line of head.split('\n')) {
    const [, key, value = ''] = /^([\w.-][^:\n]*?)\s*:(?:\s+(.*))?$/.exec(line) ?? [];
    if (key !== undefined) {
      last = key;
      fields[key] = value.trim();
    } else if (last !== null && /^\s+\S/.test(line)) fields[last] = `${String(fields[last])} ${line.trim()}`.trim();
  }
  return { ...fields };
}
