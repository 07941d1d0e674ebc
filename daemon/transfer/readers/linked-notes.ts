// Folders of notes that link to each other by name: Obsidian vaults and basic-memory projects. The folder is read twice, because a note may
// stand before what it links to: first for the names, then for the notes.

import { readFrontMatter } from '#daemon/hooks/index.ts';
import { withoutPrivateSpans } from '#daemon/secrets/private-spans.ts';
import { codePoints } from '#shared/contract/common.ts';
import { linkItem, noteItems } from './foreign-notes.ts';
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

const wikiLink = /!?\[\[([^\]|#^\n]{1,300})(?:[#^][^\]|\n]{0,300})?(?:\|[^\]\n]{0,300})?\]\]/g;
const maxMemory = 20_000;

function* readLinkedNotes({ path }: Upload, tools: ReaderTools): Generator<Item> {
  const pathsByName = new Map<string, string>();
  for (const file of markdownFiles(path)) {
    if ('problem' in file || isOther(file)) continue;
    for (const name of namesOf(file)) if (!pathsByName.has(name)) pathsByName.set(name, file.path);
  }
  for (const file of markdownFiles(path, tools.progress)) {
    if ('problem' in file) yield file;
    else yield* itemsOf(file, tools, pathsByName);
  }
}

function* itemsOf(file: MarkdownFile, tools: ReaderTools, pathsByName: ReadonlyMap<string, string>): Generator<Item> {
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
  if (noted === null) return;
  yield* noted.items;
  if (noted.kind !== 'memory') return;
  const targets = new Set<string>();
  for (const [, target = ''] of body.matchAll(wikiLink)) {
    const found = pathsByName.get(keyOf(target));
    if (found !== undefined && found !== path) targets.add(found);
  }
  for (const target of targets) {
    // a pair that links both ways is one link; the note whose path comes first tells it, or the only one that does
    yield linkItem(
      tools,
      { kind: 'memory', uid: noted.uid },
      { kind: 'memory', uid: tools.uidFor('memory', folder, target) },
      line,
    );
  }
}

/** By what other notes may call this one. */
function namesOf({ path, name, fields }: MarkdownFile): string[] {
  const names = [
    path.replace(/\.(?:md|markdown)$/i, ''),
    name,
    fieldText(fields.title),
    fieldText(fields.permalink),
    ...fieldTexts(fields.aliases),
  ];
  return names.flatMap((one) => (one === null ? [] : [keyOf(one)]));
}

function keyOf(name: string): string {
  return name
    .trim()
    .replace(/\.(?:md|markdown)$/i, '')
    .normalize('NFKC')
    .toLowerCase();
}

/** It becomes no memory: a document, which no note is linked to, or nothing. */
function isOther({ body }: MarkdownFile): boolean {
  return (
    withoutPrivateSpans(body).trim() === '' ||
    (body.length > maxMemory && codePoints(withoutPrivateSpans(body).trim()) > maxMemory)
  );
}

/** `#word` in the text; not in code, not a heading, not a part of an address. */
function inlineTags(body: string): string[] {
  const text = body.replace(/```[\s\S]*?(?:```|$)|`[^`\n]*`/g, ' ');
  return [...text.matchAll(/(?<=^|\s)#([\p{L}\p{N}_/-]{1,100})/gmu)].flatMap(([, tag = '']) =>
    /^\d+$/.test(tag) ? [] : [tag],
  );
}
