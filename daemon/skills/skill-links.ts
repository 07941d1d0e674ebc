// What a skill draws on. Both ends must exist, which the transaction that links them checks; linking twice and unlinking what is not
// linked change nothing.

import { requireMemory } from '#daemon/graph/index.ts';
import type { CallContext } from '#daemon/kernel/context.ts';
import { commitChanges } from '#daemon/memories/index.ts';
import { recordChanges } from '#daemon/storage/change-log.ts';
import type { Queries } from '#daemon/storage/sqlite.ts';
import { linkedIds, linkThings, unlinkThings } from '#daemon/storage/thing-links.ts';
import { requireThing } from '#daemon/things/index.ts';
import { LociError } from '#shared/errors.ts';
import type { SkillDeps } from './deps.ts';
import type { linkedKinds } from './kept-fields.ts';
import { skillKind } from './skill.ts';

export type OtherEnd = { readonly kind: (typeof linkedKinds)[number]; readonly id: number };

/** Makes or removes a link; answers whether that changed anything. Throws `not_found` for either end. */
export async function changeSkillLink<Answer>(
  deps: SkillDeps,
  given: { readonly skillId: number; readonly other: OtherEnd; readonly action: 'created' | 'deleted' },
  context: CallContext,
  answerOf: (changed: boolean) => Answer,
): Promise<Answer> {
  const { skillId, other, action } = given;
  const answer = await commitChanges(deps, context, async (trx) => {
    await requireThing(trx, skillKind, context.userId, skillId);
    await requireEnd(deps, trx, context.userId, other);
    const skill = { kind: 'skill', id: skillId } as const;
    const changed =
      action === 'created'
        ? await linkThings(trx, context.userId, skill, other, deps.clock.now())
        : await unlinkThings(trx, skill, other);
    const metadata = { skill_id: skillId, [`${other.kind}_id`]: other.id };
    const log = changed
      ? await recordChanges(trx, context, deps.clock, [{ kind: 'link', thingId: 0, action, metadata }])
      : [];
    return { answer: answerOf(changed), vectors: [], log };
  });
  if (answer === 'look again') throw new LociError('internal', 'A link never looks again.');
  return answer;
}

/** Ids of everything a skill is linked to, by kind. Throws `not_found`. */
export async function linksOfSkill(deps: SkillDeps, skillId: number, context: CallContext) {
  const { db } = deps.database;
  await requireThing(db, skillKind, context.userId, skillId);
  const of = (kind: OtherEnd['kind']) => linkedIds(db, { kind: 'skill', id: skillId }, kind);
  const [memory_ids, file_ids, code_artifact_ids, document_ids] = [
    await of('memory'),
    await of('file'),
    await of('code_artifact'),
    await of('document'),
  ];
  const total_count = memory_ids.length + file_ids.length + code_artifact_ids.length + document_ids.length;
  return { skill_id: skillId, memory_ids, file_ids, code_artifact_ids, document_ids, total_count };
}

const nouns = { file: 'File', code_artifact: 'Code artifact', document: 'Document' } as const;

/** Throws `not_found` for a thing that is not the user's. */
export async function requireEnd(
  deps: Pick<SkillDeps, 'existing'>,
  db: Queries,
  userId: number,
  { kind, id }: OtherEnd,
): Promise<void> {
  if (kind === 'memory') return requireMemory(db, userId, id);
  const known = (await deps.existing[kind]?.(db, userId, [id])) ?? [];
  if (!known.includes(id)) throw new LociError('not_found', `${nouns[kind]} ${id} not found.`, { [`${kind}_id`]: id });
}
