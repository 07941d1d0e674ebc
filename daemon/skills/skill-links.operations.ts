// Words of the catalogue ↔ use-cases. No rule lives here.
import { implement, type Operation } from '#daemon/kernel/operation.ts';
import { linkedIds } from '#daemon/storage/thing-links.ts';
import { oneOf } from '#daemon/things/index.ts';
import {
  getLinkedSkills,
  getSkillLinks,
  skillArtifactLinks,
  skillDocumentLinks,
  skillFileLinks,
  skillMemoryLinks,
} from '#shared/contract/knowledge/skill-links.ts';
import { LociError } from '#shared/errors.ts';
import type { SkillDeps } from './deps.ts';
import { skillNames } from './skill-links.repository.ts';
import { changeSkillLink, linksOfSkill, type OtherEnd, requireEnd } from './skill-links.ts';

export function skillLinkOperations(deps: SkillDeps): Operation[] {
  const { db } = deps.database;
  return [
    implement(skillMemoryLinks.link, async ({ skill_id, memory_id }, context) => {
      const given = { skillId: skill_id, other: { kind: 'memory', id: memory_id }, action: 'created' } as const;
      return changeSkillLink(deps, given, context, () => ({ skill_id, memory_id, linked: true as const }));
    }),
    implement(skillMemoryLinks.unlink, async ({ skill_id, memory_id }, context) => {
      const given = { skillId: skill_id, other: { kind: 'memory', id: memory_id }, action: 'deleted' } as const;
      return changeSkillLink(deps, given, context, (unlinked) => ({ skill_id, memory_id, unlinked }));
    }),
    implement(skillFileLinks.link, async ({ skill_id, file_id }, context) => {
      const given = { skillId: skill_id, other: { kind: 'file', id: file_id }, action: 'created' } as const;
      return changeSkillLink(deps, given, context, () => ({ skill_id, file_id, linked: true as const }));
    }),
    implement(skillFileLinks.unlink, async ({ skill_id, file_id }, context) => {
      const given = { skillId: skill_id, other: { kind: 'file', id: file_id }, action: 'deleted' } as const;
      return changeSkillLink(deps, given, context, (unlinked) => ({ skill_id, file_id, unlinked }));
    }),
    implement(skillArtifactLinks.link, async ({ skill_id, code_artifact_id: id }, context) => {
      const given = { skillId: skill_id, other: { kind: 'code_artifact', id }, action: 'created' } as const;
      return changeSkillLink(deps, given, context, () => ({ skill_id, code_artifact_id: id, linked: true as const }));
    }),
    implement(skillArtifactLinks.unlink, async ({ skill_id, code_artifact_id: id }, context) => {
      const given = { skillId: skill_id, other: { kind: 'code_artifact', id }, action: 'deleted' } as const;
      return changeSkillLink(deps, given, context, (unlinked) => ({ skill_id, code_artifact_id: id, unlinked }));
    }),
    implement(skillDocumentLinks.link, async ({ skill_id, document_id }, context) => {
      const given = { skillId: skill_id, other: { kind: 'document', id: document_id }, action: 'created' } as const;
      return changeSkillLink(deps, given, context, () => ({ skill_id, document_id, linked: true as const }));
    }),
    implement(skillDocumentLinks.unlink, async ({ skill_id, document_id }, context) => {
      const given = { skillId: skill_id, other: { kind: 'document', id: document_id }, action: 'deleted' } as const;
      return changeSkillLink(deps, given, context, (unlinked) => ({ skill_id, document_id, unlinked }));
    }),
    implement(getSkillLinks, async ({ skill_id, id }, context) => linksOfSkill(deps, oneOf({ skill_id, id }), context)),
    implement(getLinkedSkills, async (input, context) => {
      const thing = thingOf(input);
      await requireEnd(deps, db, context.userId, thing);
      const skills = await skillNames(db, context.userId, await linkedIds(db, thing, 'skill'));
      return { skill_ids: skills.map(({ id }) => id), count: skills.length, skills };
    }),
  ];
}

type Ids = {
  readonly memory_id?: number | undefined;
  readonly file_id?: number | undefined;
  readonly code_artifact_id?: number | undefined;
  readonly document_id?: number | undefined;
};

function thingOf({ memory_id, file_id, code_artifact_id, document_id }: Ids): OtherEnd {
  const given: OtherEnd[] = (
    [
      ['memory', memory_id],
      ['file', file_id],
      ['code_artifact', code_artifact_id],
      ['document', document_id],
    ] as const
  ).flatMap(([kind, id]) => (id === undefined ? [] : [{ kind, id }]));
  const [thing] = given;
  if (thing !== undefined && given.length === 1) return thing;
  throw new LociError('invalid_input', 'Give one of memory_id, file_id, code_artifact_id and document_id.', {
    memory_id: 'or one of file_id, code_artifact_id, document_id is required',
  });
}
