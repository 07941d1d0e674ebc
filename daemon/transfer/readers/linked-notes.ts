// Folders of notes that link to each other by name: Obsidian vaults and basic-memory projects. The folder is read twice, because a note may
// stand before what it links to: first for the names, then for the notes.

import { readFrontMatter } from '#daemon/hooks/index.ts';
import { isForMemory, linkItem, noteItems, privateNotice } from './foreign-notes.ts';
import { createNoteNames, type NoteNames, withoutCode } from './note-links.ts';
import { fieldText, fieldTexts, type MarkdownFile, markdownFiles } from './packed-folder.ts';
import { instantOf } from './read-values.ts';
import type { Item, Reader, ReaderTools, Upload } from './reader.ts';

export const basicMemoryReader: Reader = {
  source: 'basic-memory',
  detects: ({ files }) => files?.some(({ text }) => readFrontMatter(text).fields.permalink !== undefined) === true,
  read: readLinkedNotes,
};

/** Any folder of Markdown files that is nobody else's. */
export const obsidianReader: Reader = {
  source: 'obsidian',
  detects: ({ files }) => files !== null,
  read: readLinkedNotes,
};

function* readLinkedNotes({ path }: Upload, tools: ReaderTools): Generator<Item> {
  const names = createNoteNames();
  for (const file of markdownFiles(path)) if (!('problem' in file) && isForMemory(file.body)) names.add(file);
  for (const file of markdownFiles(path, tools.progress)) {
    if ('problem' in file) yield file;
    else yield* itemsOf(file, tools, names);
  }
}

function* itemsOf(file: MarkdownFile, tools: ReaderTools, names: NoteNames): Generator<Item> {
  const { fields, body, path, folder, name, line, modifiedAt } = file;
  const createdAt = instantOf(fieldText(fields.created ?? fields.created_at ?? fields.date)) ?? modifiedAt;
  const updatedAt = instantOf(fieldText(fields.updated ?? fields.modified ?? fields.updated_at)) ?? modifiedAt;
  const aliases = fieldTexts(fields.aliases ?? fields.alias);
  const noted = noteItems(tools, {
    sourceId: [folder, path],
    content: body,
    title: fieldText(fields.title) ?? name,
    line,
    createdAt,
    updatedAt,
    tags: [...new Set([...fieldTexts(fields.tags ?? fields.tag), ...inlineTags(body)])],
    more: {
      type: 'context',
      concepts: aliases,
      files: [path],
      source_url: fieldText(fields.url ?? fields.source),
      metadata: fieldText(fields.permalink) === null ? {} : { permalink: fieldText(fields.permalink) },
    },
  });
  if (noted === null) {
    if (body.trim() !== '') yield privateNotice;
    return;
  }
  yield* noted.items;
  if (noted.kind !== 'memory') return;
  for (const target of names.targetsOf(file)) {
    // a pair that links both ways is one link; the note whose path comes first tells it, or the only one that does
    yield linkItem(
      tools,
      { kind: 'memory', uid: noted.uid },
      { kind: 'memory', uid: tools.uidFor('memory', folder, target) },
      line,
    );
  }
}

/** `#word` in the text; not in code, not a heading, not a part of an address. */
function inlineTags(body: string): string[] {
  return [...withoutCode(body).matchAll(/(?<=^|\s)#([\p{L}\p{N}_/-]{1,100})/gmu)].flatMap(([, tag = '']) =>
    /^\d+$/.test(tag) ? [] : [tag],
  );
}
