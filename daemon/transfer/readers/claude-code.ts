// The memory folder of Claude Code: a file a memory, with its name, description and type in the head. MEMORY.md is only the index of the
// others, and a stub that Loci left there stands for a memory that is here already.

import { readFrontMatter } from '#daemon/hooks/index.ts';
import { isRecord } from '#daemon/kernel/is-record.ts';
import { metadata } from '#shared/contract/common.ts';
import { noteItems } from './foreign-notes.ts';
import { fieldText, type MarkdownFile, markdownFiles } from './packed-folder.ts';
import type { Item, Reader } from './reader.ts';

const types: ReadonlySet<unknown> = new Set(['user', 'feedback', 'project', 'reference']);
const unsafeNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

export const claudeCodeReader: Reader = {
  source: 'claude-code',
  detects: ({ files }) =>
    files?.some(({ path, text }) => {
      if (/(?:^|\/)MEMORY\.md$/.test(path)) return true;
      const { name, description, type, metadata: inner } = readFrontMatter(text).fields;
      return (
        name !== undefined &&
        description !== undefined &&
        (types.has(type) || (isRecord(inner) && types.has(inner.type)))
      );
    }) === true,
  *read({ path }, tools): Generator<Item> {
    for (const file of markdownFiles(path, tools.progress)) {
      if ('problem' in file) yield file;
      else if (file.name === 'MEMORY' || file.name === 'CLAUDE')
        yield { notice: 'MEMORY.md and CLAUDE.md were left out: the one is an index, the other instructions.' };
      else if (file.body.includes('<!-- loci:stub'))
        yield { notice: 'Stubs that Loci had left in the folder were left out.' };
      else yield* noteItems(tools, noteOf(file))?.items ?? [];
    }
  },
};

function noteOf({ fields, body, path, folder, name, line, modifiedAt }: MarkdownFile) {
  const { name: title, description, type, metadata: inner, ...rest } = fields;
  const nested = isRecord(inner) ? inner : {};
  const kind = type ?? nested.type;
  const context = fieldText(description);
  return {
    sourceId: [folder, path],
    content: body.trim() === '' ? (context ?? '') : body,
    title: fieldText(title) ?? name,
    line,
    createdAt: modifiedAt,
    more: {
      type: kind === 'user' ? 'preference' : kind === 'project' ? 'context' : 'fact',
      context: body.trim() === '' ? null : context,
      metadata: kept({ ...rest, ...(inner === undefined ? {} : { metadata: inner }) }),
    },
  };
}

/** What fits the rules of metadata; a head that does not is left out, its memory is not. */
function kept(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const safe = Object.fromEntries(Object.entries(fields).filter(([name]) => !unsafeNames.has(name)));
  const result = metadata.safeParse(JSON.parse(JSON.stringify(safe)));
  return result.success ? result.data : {};
}
