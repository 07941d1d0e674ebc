// Birth and change of an entity: the row, its projects, its place in every index and the change log in one transaction.
// The text is embedded before it, so nothing is awaited in it.
import type { CallContext } from '#daemon/kernel/context.ts';
import { commitChanges, prepareWhole } from '#daemon/memories/index.ts';
import { type PolicyWrite, withRemarks } from '#daemon/policies/index.ts';
import { refuseSecrets } from '#daemon/secrets/detect-secrets.ts';
import { recordChanges } from '#daemon/storage/change-log.ts';
import type { EmbeddedText } from '#daemon/storage/file-thing.ts';
import type { Queries } from '#daemon/storage/sqlite.ts';
import { linkedIds, replaceLinks } from '#daemon/storage/thing-links.ts';
import type { Entity } from '#shared/contract/knowledge/entities.ts';
import type { PluginWarning } from '#shared/contract/knowledge/plugin-warnings.ts';
import { LociError } from '#shared/errors.ts';
import type { GraphDeps } from './deps.ts';
import { entityById, insertEntity, updateEntity } from './entities.repository.ts';
import { type EntityDraft, type EntityRow, embeddedText, entityToWords, indexSource, logged } from './entity.ts';
import { fileEntity, refileEntity } from './file-entity.ts';

/** An entity with what the policy remarked. */
type RemarkedEntity = Entity & { plugin_warnings?: PluginWarning[] | undefined };

/** Stores a new entity. Throws `not_found` naming projects that do not exist. */
export async function createEntity(
  deps: GraphDeps,
  draft: EntityDraft,
  projectIds: readonly number[],
  context: CallContext,
): Promise<RemarkedEntity> {
  refuseSecretsIn(draft);
  await requireProjects(deps, deps.database.db, context.userId, projectIds);
  const write = { operation: 'create', previous: null, proposed: logged(draft, projectIds) } as const;
  const warned = deps.policy.isSet ? await deps.policy.before(write) : [];
  const text = await embed(deps, draft);
  const answer = settled(
    await commitChanges(deps, context, async (trx) => {
      const nowMs = deps.clock.now();
      await requireProjects(deps, trx, context.userId, projectIds);
      const row = await insertEntity(trx, draft, { userId: context.userId, nowMs });
      await replaceLinks(trx, context.userId, { kind: 'entity', id: row.id }, 'project', projectIds, nowMs);
      const vectors = [await fileEntity(trx, row, projectIds, text, nowMs)];
      const snapshot = { id: row.id, uid: row.uid, ...logged(row, projectIds) };
      const log = await recordChanges(trx, context, deps.clock, [
        { kind: 'entity', thingId: row.id, action: 'created', snapshot },
      ]);
      return { answer: entityToWords(row, projectIds), vectors, log };
    }),
  );
  if (!deps.policy.isSet) return answer;
  return withRemarks(answer, [...warned, ...(await deps.policy.after({ ...write, proposed: answer }))]);
}

export type EntityPatch = {
  readonly apply: (present: EntityRow) => EntityDraft;
  /** All its projects, ascending; undefined leaves them alone. */
  readonly projectIds: readonly number[] | undefined;
};

/** Changes an entity and answers it as it is then; a patch that changes nothing moves nothing. Throws `not_found`. */
export async function changeEntity(
  deps: GraphDeps,
  id: number,
  patch: EntityPatch,
  context: CallContext,
): Promise<RemarkedEntity> {
  return deps.mutex.run([entityLock(id)], async () => {
    const before = await requireEntity(deps.database.db, context.userId, id);
    const draft = patch.apply(before);
    refuseSecretsIn(draft);
    await requireProjects(deps, deps.database.db, context.userId, patch.projectIds ?? []);
    const write = deps.policy.isSet ? await writeOf(deps, before, draft, patch) : null;
    const warned = write === null ? [] : await deps.policy.before(write);
    const text = isReworded(before, draft) ? await embed(deps, draft) : null;
    const answer = settled(
      await commitChanges(deps, context, async (trx) => {
        const nowMs = deps.clock.now();
        const present = await requireEntity(trx, context.userId, id);
        const old = await linkedIds(trx, { kind: 'entity', id }, 'project');
        const projectIds = patch.projectIds ?? old;
        const changes = differences(logged(present, old), logged(draft, projectIds));
        if (Object.keys(changes).length === 0) return { answer: entityToWords(present, old), vectors: [], log: [] };
        await requireProjects(deps, trx, context.userId, projectIds);
        await replaceLinks(trx, context.userId, { kind: 'entity', id }, 'project', projectIds, nowMs);
        const isMoved = 'project_ids' in changes;
        const rev = present.rev + (text !== null || isMoved ? 1 : 0);
        const row = await updateEntity(trx, id, draft, { rev, nowMs });
        const vectors =
          text !== null
            ? [await fileEntity(trx, row, projectIds, text, nowMs)]
            : isMoved
              ? [await refileEntity(trx, row, projectIds, deps.embedder.modelId, nowMs)]
              : [];
        const log = await recordChanges(trx, context, deps.clock, [
          { kind: 'entity', thingId: id, action: 'updated', changes },
        ]);
        return { answer: entityToWords(row, projectIds), vectors, log };
      }),
    );
    if (write === null) return answer;
    return withRemarks(answer, [...warned, ...(await deps.policy.after({ ...write, proposed: answer }))]);
  });
}

/** What a policy is asked about; null for a patch that changes nothing. */
async function writeOf(
  deps: GraphDeps,
  before: EntityRow,
  draft: EntityDraft,
  patch: EntityPatch,
): Promise<PolicyWrite | null> {
  const old = await linkedIds(deps.database.db, { kind: 'entity', id: before.id }, 'project');
  const [previous, proposed] = [logged(before, old), logged(draft, patch.projectIds ?? old)];
  if (Object.keys(differences(previous, proposed)).length === 0) return null;
  return { operation: 'update', previous: { id: before.id, ...previous }, proposed };
}

/** Changes of one entity wait for each other. */
export function entityLock(id: number): string {
  return `entity\n${id}`;
}

/** A user's entity. Throws `not_found`; `noun` begins the message. */
export async function requireEntity(db: Queries, userId: number, id: number, noun = 'Entity'): Promise<EntityRow> {
  const row = await entityById(db, userId, id);
  if (row !== null) return row;
  throw new LociError('not_found', `${noun} ${id} not found.`, { entity_id: id });
}

export async function requireProjects(
  deps: Pick<GraphDeps, 'projects'>,
  db: Queries,
  userId: number,
  ids: readonly number[],
): Promise<void> {
  const known = await deps.projects.byIds(db, userId, ids);
  const missing = ids.filter((id) => !known.has(id));
  if (missing.length === 0) return;
  throw new LociError('not_found', `Projects not found: ${missing.join(', ')}.`, { project_ids: missing });
}

/** Fields that differ, old and new. */
export function differences(
  old: Readonly<Record<string, unknown>>,
  next: Readonly<Record<string, unknown>>,
): Record<string, { old: unknown; new: unknown }> {
  return Object.fromEntries(
    Object.keys(next)
      .filter((field) => JSON.stringify(old[field]) !== JSON.stringify(next[field]))
      .map((field) => [field, { old: old[field], new: next[field] }]),
  );
}

/** An answer that no transaction of this room asks to look again for. */
export function settled<Answer>(answer: Answer | 'look again'): Answer {
  if (answer === 'look again') throw new Error('the graph never looks again');
  return answer;
}

function embed(deps: GraphDeps, draft: EntityDraft): Promise<EmbeddedText> {
  return prepareWhole(deps.embedder, embeddedText(draft), 'save').then((text) => ({
    ...text,
    passages: text.passages.length,
  }));
}

function isReworded(before: EntityRow, draft: EntityDraft): boolean {
  return (
    embeddedText(before) !== embeddedText(draft) ||
    JSON.stringify(indexSource(before)) !== JSON.stringify(indexSource(draft))
  );
}

function refuseSecretsIn({ name, notes, aka, tags, custom_type, metadata, source_url }: EntityDraft): void {
  refuseSecrets({ name, notes, aka, tags, custom_type, metadata, source_url });
}
