// From the words of the catalogue to the columns of a code artifact. Languages are lower case, so that `Python` and `python` are one.
import type { CallContext } from '#daemon/kernel/context.ts';
import { foldLabel } from '#daemon/storage/label-keys.ts';
import { newProvenance, patchedProvenance } from '#daemon/storage/provenance.ts';
import { type Columns, emptyToNull, given, listOf, oneOf, oneOrNone, tagColumns } from '#daemon/things/index.ts';
import type { createCodeArtifact, updateCodeArtifact } from '#shared/contract/knowledge/code-artifacts.ts';
import type { ParsedInputOf } from '#shared/contract/operation.ts';
import type { CodeArtifact } from './code-artifact.ts';

export function inputToCodeArtifact(
  input: ParsedInputOf<typeof createCodeArtifact>,
  { encoding }: CallContext,
): Columns<CodeArtifact> {
  const { title, code, content, description, language, framework, version, tags, project_id } = input;
  return {
    title: title.trim(),
    description: description ?? '',
    language: foldLabel(language),
    framework: emptyToNull(framework) ?? null,
    version: emptyToNull(version) ?? null,
    code: oneOf({ code, content }),
    ...tagColumns(tags ?? []),
    project_id: project_id ?? null,
    ...newProvenance(input, encoding),
  };
}

export function patchCodeArtifact(
  present: CodeArtifact,
  input: ParsedInputOf<typeof updateCodeArtifact>,
): Columns<CodeArtifact> {
  const { code, content } = input;
  return {
    title: given(input.title?.trim(), present.title),
    description: input.description === null ? '' : given(input.description, present.description),
    language: input.language === undefined ? present.language : foldLabel(input.language),
    framework: given(emptyToNull(input.framework), present.framework),
    version: given(emptyToNull(input.version), present.version),
    code: given(oneOrNone({ code, content }), present.code),
    ...tagColumns(given(input.tags, listOf(present.tags))),
    project_id: given(input.project_id, present.project_id),
    ...patchedProvenance(present, input),
  };
}
