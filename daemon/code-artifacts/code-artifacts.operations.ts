// Words of the catalogue ↔ use-cases. No rule lives here.
import { toUtc } from '#daemon/kernel/clock.ts';
import { implement, type Operation } from '#daemon/kernel/operation.ts';
import { foldLabel } from '#daemon/storage/label-keys.ts';
import { provenanceToWords } from '#daemon/storage/provenance.ts';
import {
  changeThing,
  createThing,
  deleteThing,
  listOf,
  listThings,
  oneOf,
  pageOf,
  requireThing,
  type ThingDeps,
} from '#daemon/things/index.ts';
import {
  createCodeArtifact,
  deleteCodeArtifact,
  getCodeArtifact,
  listCodeArtifacts,
  updateCodeArtifact,
} from '#shared/contract/knowledge/code-artifacts.ts';
import { type CodeArtifact, codeArtifactKind } from './code-artifact.ts';
import { inputToCodeArtifact, patchCodeArtifact } from './code-artifact-input.ts';

const kind = codeArtifactKind;

const summaryColumns = [
  'id',
  'title',
  'description',
  'language',
  'framework',
  'version',
  'tags',
  'project_id',
  'created_at',
  'updated_at',
] as const;

type Summary = Pick<CodeArtifact, (typeof summaryColumns)[number]>;

export function codeArtifactOperations(deps: ThingDeps): Operation[] {
  const { db } = deps.database;
  return [
    implement(createCodeArtifact, async (input, context) => {
      const columns = inputToCodeArtifact(input, context);
      return createThing(deps, kind, { columns, extra: undefined }, context, toWords);
    }),
    implement(getCodeArtifact, async (input, context) =>
      toWords(await requireThing<CodeArtifact>(db, kind, context.userId, idOf(input))),
    ),
    implement(listCodeArtifacts, async ({ project_id, language, tags, limit, offset }, context) => {
      const { rows, total } = await listThings<CodeArtifact, keyof Summary>(deps.database, kind, summaryColumns, {
        userId: context.userId,
        projectId: project_id,
        tags: tags ?? [],
        equals: language === undefined ? undefined : { column: 'language', value: foldLabel(language) },
        limit,
        offset,
      });
      return { code_artifacts: rows.map(toSummary), ...pageOf({ limit, offset }, rows.length, total) };
    }),
    implement(updateCodeArtifact, async (input, context) => {
      const apply = (present: CodeArtifact) => ({ columns: patchCodeArtifact(present, input), extra: undefined });
      return changeThing(deps, kind, { id: idOf(input), apply }, context, toWords);
    }),
    implement(deleteCodeArtifact, async (input, context) =>
      deleteThing(deps, kind, idOf(input), context, (id) => ({
        success: true,
        deleted_id: id,
        code_artifact_id: id,
        artifact_id: id,
      })),
    ),
  ];
}

type Which = {
  readonly code_artifact_id?: number | undefined;
  readonly artifact_id?: number | undefined;
  readonly id?: number | undefined;
};

function idOf({ code_artifact_id, artifact_id, id }: Which): number {
  return oneOf({ code_artifact_id, artifact_id, id });
}

function toSummary(row: Summary) {
  const { id, title, description, language, framework, version, project_id } = row;
  return {
    id,
    code_artifact_id: id,
    artifact_id: id,
    title,
    description,
    language,
    framework,
    version,
    tags: listOf(row.tags),
    project_id,
    created_at: toUtc(row.created_at),
    updated_at: toUtc(row.updated_at),
  };
}

function toWords(row: CodeArtifact) {
  return { ...toSummary(row), code: row.code, content: row.code, ...provenanceToWords(row) };
}
