// From the words of the catalogue to the columns of a skill.
import type { CallContext } from '#daemon/kernel/context.ts';
import { newProvenance, patchedProvenance } from '#daemon/storage/provenance.ts';
import { type Columns, emptyToNull, given, listOf, tagColumns } from '#daemon/things/index.ts';
import type { createSkill, updateSkill } from '#shared/contract/knowledge/skills.ts';
import type { ParsedInputOf } from '#shared/contract/operation.ts';
import { invalidField } from '#shared/errors.ts';
import { objectOf, type SkillRow } from './skill.ts';

export type SkillInput = Omit<ParsedInputOf<typeof createSkill>, 'idempotency_key'>;

export function inputToSkill(input: SkillInput, { encoding }: Pick<CallContext, 'encoding'>): Columns<SkillRow> {
  const { name, description, content, license, compatibility, importance, project_id } = input;
  return {
    name,
    description,
    content,
    license: emptyToNull(license) ?? null,
    compatibility: emptyToNull(compatibility) ?? null,
    allowed_tools: JSON.stringify(input.allowed_tools ?? []),
    metadata: metadataText(input.metadata ?? {}),
    ...tagColumns(input.tags ?? []),
    importance,
    project_id: project_id ?? null,
    ...newProvenance(input, encoding),
  };
}

export function patchSkill(present: SkillRow, input: ParsedInputOf<typeof updateSkill>): Columns<SkillRow> {
  const { allowed_tools, metadata } = input;
  return {
    name: given(input.name, present.name),
    description: given(input.description, present.description),
    content: given(input.content, present.content),
    license: given(emptyToNull(input.license), present.license),
    compatibility: given(emptyToNull(input.compatibility), present.compatibility),
    allowed_tools: allowed_tools === undefined ? present.allowed_tools : JSON.stringify(allowed_tools ?? []),
    metadata: metadataText(metadata === undefined ? objectOf(present.metadata) : (metadata ?? {})),
    ...tagColumns(given(input.tags, listOf(present.tags))),
    importance: given(input.importance, present.importance),
    project_id: given(input.project_id, present.project_id),
    ...patchedProvenance(present, input),
  };
}

/** Below this name of `metadata` an export keeps what SKILL.md has no field for. */
export const reservedName = 'loci';

function metadataText(metadata: Readonly<Record<string, unknown>>): string {
  if (Object.hasOwn(metadata, reservedName)) {
    throw invalidField(
      'metadata',
      `\`metadata.${reservedName}\` is where exports keep what SKILL.md has no field for: take another name.`,
    );
  }
  return JSON.stringify(metadata);
}
