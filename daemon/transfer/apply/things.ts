// Documents, code artifacts, files and skills: the row, what is kept outside it, and its place in the index.
import { type CodeArtifact, codeArtifactKind } from '#daemon/code-artifacts/index.ts';
import { documentKind } from '#daemon/documents/index.ts';
import { keepBytes } from '#daemon/files/index.ts';
import { skillKind } from '#daemon/skills/index.ts';
import type { ExportRecord } from '#daemon/storage/records/fields.ts';
import type { VectorChange } from '#daemon/storage/search-types.ts';
import { type AnalysedWords, analyseWords, fileThingOf, requireThing, type SearchRules } from '#daemon/things/index.ts';
import { askedBy, type RowWriter, type Writing } from './deps.ts';
import { columnsOf, insertRow, updateRow } from './rows.ts';

type ThingKindName = 'document' | 'code_artifact' | 'skill' | 'file';
/** The kinds differ in their columns alone, and a search rule reads its own. */
type Searched = { readonly table: 'documents'; readonly noun: string; readonly search: SearchRules<CodeArtifact> };

const searched: Partial<Record<ThingKindName, Searched>> = {
  document: documentKind as unknown as Searched,
  code_artifact: codeArtifactKind as unknown as Searched,
  skill: skillKind as unknown as Searched,
};

/** What the index holds of a record; null for one that no search finds by its own text. Long texts are worked on with turns between. */
export async function wordsOf(
  writing: Omit<Writing, 'words' | 'trx'>,
  record: ExportRecord,
): Promise<AnalysedWords | null> {
  const kind = record.kind as ThingKindName;
  const rules = searched[kind]?.search;
  if (rules === undefined) return null;
  const { database } = writing.deps;
  const asked = { database, queries: database.db, userId: writing.userId };
  return analyseWords(rules.words((await columnsOf(asked, kind, record)) as never));
}

function thingWriter(kind: ThingKindName): RowWriter {
  return {
    kind,
    async insert(writing, record) {
      const id = await insertRow(writing, kind, await columnsOf(askedBy(writing), kind, record));
      return { id, vectors: await writeBesides(writing, kind, id, record) };
    },
    async update(writing, record, { id }) {
      await updateRow(writing, kind, id, await columnsOf(askedBy(writing), kind, record));
      return { id, vectors: await writeBesides(writing, kind, id, record) };
    },
  };
}

async function writeBesides(
  writing: Writing,
  kind: ThingKindName,
  id: number,
  record: ExportRecord,
): Promise<VectorChange[]> {
  const { trx, userId, deps, nowMs } = writing;
  if (kind === 'file') await keepBytes(trx, id, Buffer.from(String(record.data), 'base64'));
  const rules = searched[kind];
  if (rules === undefined) return [];
  const row = await requireThing<CodeArtifact>(trx, rules, userId, id);
  const words = writing.words ?? (await analyseWords(rules.search.words(row)));
  const embedded = { modelId: deps.embedder.modelId, passages: 1, vector: null, state: 'pending' } as const;
  return [await fileThingOf(trx, { kind, search: rules.search }, row, { ...words, embedded, first: null }, nowMs)];
}

export const thingWriters: readonly RowWriter[] = [
  thingWriter('document'),
  thingWriter('code_artifact'),
  thingWriter('file'),
  thingWriter('skill'),
];
