// A code artifact and its pure rules: what of it is indexed, embedded and logged.
import type { Selectable } from 'kysely';
import { provenanceToWords } from '#daemon/storage/provenance.ts';
import type { CodeArtifactsTable } from '#daemon/storage/tables/things.ts';
import { listOf, loggedText, type ThingKind } from '#daemon/things/index.ts';

export type CodeArtifact = Selectable<CodeArtifactsTable>;

export const codeArtifactKind: ThingKind<CodeArtifact> = {
  table: 'code_artifacts',
  kind: 'code_artifact',
  noun: 'Code artifact',
  secrets: ({ title, description, code, framework, version, tags, source_url, source_files }) => ({
    title,
    description,
    code,
    framework,
    version,
    tags: listOf(tags),
    source_url,
    source_files: listOf(source_files),
  }),
  logged: (artifact) => ({
    title: artifact.title,
    description: artifact.description,
    language: artifact.language,
    framework: artifact.framework,
    version: artifact.version,
    tags: listOf(artifact.tags),
    project_id: artifact.project_id,
    ...provenanceToWords(artifact),
    code: loggedText(artifact.code),
  }),
  search: {
    type: 'code_artifact',
    words: ({ title, description, code, language, framework, tags }) => ({
      title,
      texts: [description, code],
      labels: [...listOf(tags), language, framework],
      names: [],
      dates: [],
    }),
    // what it is for stands before the code: questions are asked in words
    pieces: ({ title, description, language, framework, tags, code }) => {
      const parts = [title, description, [language, framework].filter(Boolean).join(', '), listOf(tags).join(', ')];
      const head = parts.filter((part) => part !== '').join('\n');
      return [{ text: `${head}\n${code}`, startAt: -(head.length + 1) }];
    },
  },
};
