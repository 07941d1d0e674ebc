// A document and its pure rules: what of it is indexed, embedded and logged.
import type { Selectable } from 'kysely';
import { provenanceToWords } from '#daemon/storage/provenance.ts';
import type { DocumentsTable } from '#daemon/storage/tables/things.ts';
import { type Columns, listOf, loggedText, type Piece, type ThingKind } from '#daemon/things/index.ts';
import { keepPassages } from './passages.repository.ts';
import { sectionsOf } from './sections.ts';

export type Document = Selectable<DocumentsTable>;

export const documentKind: ThingKind<Document> = {
  table: 'documents',
  kind: 'document',
  noun: 'Document',
  secrets: ({ title, description, content, filename, tags, source_url, source_files }) => ({
    title,
    description,
    content,
    filename,
    tags: listOf(tags),
    source_url,
    source_files: listOf(source_files),
  }),
  logged: (document) => ({
    title: document.title,
    description: document.description,
    document_type: document.document_type,
    filename: document.filename,
    tags: listOf(document.tags),
    project_id: document.project_id,
    ...provenanceToWords(document),
    content: loggedText(document.content),
  }),
  search: {
    type: 'document',
    words: ({ title, description, content, tags, filename }) => ({
      title,
      texts: [description, content],
      labels: [...listOf(tags), filename],
      names: [],
      dates: [],
    }),
    pieces: piecesOf,
    keepPassages,
  },
};

/** Longer leads would push the end of a passage out of what the model reads. */
const maxLeadLength = 120;

/**
 * The beginning of a document with its title, description and tags, then its sections, each under its headings.
 * In a document of type `code` nothing is a heading.
 */
function piecesOf({ title, description, tags, content, document_type }: Columns<Document>): Piece[] {
  const [opening, ...sections] =
    document_type.toLowerCase() === 'code'
      ? [{ startAt: 0, endAt: content.length, headings: [] }]
      : sectionsOf(content);
  const head = [title, description, listOf(tags).join(', ')].filter((part) => part !== '').join('\n');
  const start = content.slice(0, opening?.endAt ?? content.length);
  const first = start.trim() === '' ? { text: head } : { text: `${head}\n${start}`, startAt: -(head.length + 1) };
  return [
    first,
    ...sections.map(({ startAt, endAt, headings }) => ({
      text: content.slice(startAt, endAt),
      startAt,
      headings,
      lead: leadOf(title, headings),
    })),
  ];
}

/** The title and the headings, from the inside out as far as they fit. */
function leadOf(title: string, headings: readonly string[]): string {
  let lead = '';
  for (const part of [title, ...headings].reverse()) {
    const longer = lead === '' ? part : `${part} › ${lead}`;
    if (lead !== '' && longer.length > maxLeadLength) break;
    lead = longer;
  }
  return lead.slice(0, maxLeadLength).toWellFormed();
}
