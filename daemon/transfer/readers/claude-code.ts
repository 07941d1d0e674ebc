// The memory folder of Claude Code: a file a memory, with its name, description and type in the head. MEMORY.md is only the index of the
// others, and a stub that Loci left there stands for a memory that is here already.

import { posix } from 'node:path';
import { readFrontMatter } from '#daemon/hooks/index.ts';
import { isRecord } from '#daemon/kernel/is-record.ts';
import { isForMemory, itemsOfNote, linkItem } from './foreign-notes.ts';
import { createNoteNames, type NoteNames } from './note-links.ts';
import { fieldText, type MarkdownFile, markdownFiles } from './packed-folder.ts';
import { metadataOf } from './read-values.ts';
import type { Item, Reader, ReaderTools } from './reader.ts';

const types: ReadonlySet<unknown> = new Set(['user', 'feedback', 'project', 'reference']);

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
    // the folders of several projects may hold notes of one name
    const namesIn = new Map<string, NoteNames>();
    for (const file of markdownFiles(path)) {
      if ('problem' in file || noticeOf(file) !== null || !isForMemory(noteOf(file).content)) continue;
      const folder = posix.dirname(file.path);
      const names = namesIn.get(folder) ?? createNoteNames();
      names.add(file);
      namesIn.set(folder, names);
    }
    for (const file of markdownFiles(path, tools.progress)) {
      if ('problem' in file) yield file;
      else yield* itemsOf(file, tools, namesIn.get(posix.dirname(file.path)));
    }
  },
};

function* itemsOf(file: MarkdownFile, tools: ReaderTools, names: NoteNames | undefined): Generator<Item> {
  const notice = noticeOf(file);
  if (notice !== null) return yield { notice };
  yield* itemsOfNote(tools, noteOf(file));
  if (names?.has(file) !== true) return;
  const end = (path: string) => ({ kind: 'memory', uid: tools.uidFor('memory', file.folder, path) }) as const;
  for (const target of names.targetsOf(file)) yield linkItem(tools, end(file.path), end(target), file.line);
}

/** Why a file becomes no memory. */
function noticeOf({ name, body }: MarkdownFile): string | null {
  if (name === 'MEMORY' || name === 'CLAUDE')
    return 'MEMORY.md and CLAUDE.md were left out: the one is an index, the other instructions.';
  return body.includes('<!-- loci:stub') ? 'Stubs that Loci had left in the folder were left out.' : null;
}

function noteOf({ fields, body, path, folder, name, line, modifiedAt, project }: MarkdownFile) {
  const { name: title, description, type, metadata: inner, ...rest } = fields;
  const { type: innerType, ...others } = isRecord(inner) ? inner : {};
  const kind = type ?? innerType;
  const context = fieldText(description);
  return {
    sourceId: [folder, path],
    content: body.trim() === '' ? (context ?? '') : body,
    title: fieldText(title) ?? name,
    line,
    createdAt: modifiedAt,
    project,
    more: {
      type: kind === 'user' ? 'preference' : kind === 'project' ? 'context' : 'fact',
      context: body.trim() === '' ? null : context,
      session: fieldText(others.originSessionId ?? rest.originSessionId),
      metadata: metadataOf({
        ...rest,
        ...(isRecord(inner) ? others : inner === undefined ? {} : { metadata: inner }),
        ...(kind === undefined ? {} : { type: kind }),
      }),
    },
  };
}
