// A note of the knowledge graph: it never merges, it links itself to the nearest notes in the transaction of its birth,
// and names what was given up before. Attachments are checked first, so that nothing is half-written.

import type { CallContext } from '#daemon/kernel/context.ts';
import { withRemarks } from '#daemon/policies/index.ts';
import { mapThreshold } from '#daemon/retrieval/map-threshold.ts';
import { type Change, recordChanges } from '#daemon/storage/change-log.ts';
import type { VectorHit } from '#daemon/storage/search-types.ts';
import type { PluginWarning } from '#shared/contract/knowledge/plugin-warnings.ts';
import { LociError } from '#shared/errors.ts';
import { type Attachments, attach, requireAttachments } from '../attachments.ts';
import { commitChanges } from '../commit.ts';
import type { MemoryDeps } from '../deps.ts';
import { fileMemory } from '../index-memory.ts';
import { judgeAfter } from '../judge.ts';
import { addLinks } from '../links.repository.ts';
import { insertMemory, memoriesByIds } from '../memories.repository.ts';
import { isLive, type Memory, type MemoryDraft, shownTitle } from '../memory.ts';
import { type PreparedText, prepareText } from '../prepare-text.ts';
import { checkSave } from '../save.ts';

export type NoteRequest = {
  readonly draft: MemoryDraft;
  readonly projectIds: readonly number[];
  readonly attachments: Attachments;
};

export type CreatedNote = {
  readonly memory: Memory;
  readonly linkedIds: readonly number[];
  /** The nearest active notes above the link threshold, best first, with their similarity. */
  readonly similar: readonly { readonly memory: Memory; readonly similarity: number }[];
  readonly obsolete: readonly { readonly memory: Memory; readonly similarity: number }[];
  readonly warnings: readonly string[];
};

const maxSimilar = 5;
const maxObsolete = 3;

/** Stores a note. Throws `not_found` naming projects, documents, artifacts, files or skills that do not exist. */
export async function createNote<Answer extends object>(
  deps: MemoryDeps,
  request: NoteRequest,
  context: CallContext,
  answerOf: (created: CreatedNote) => Answer,
): Promise<Answer & { plugin_warnings?: PluginWarning[] | undefined }> {
  const { draft: proposed, projectIds } = request;
  const warned = await checkSave(deps, { draft: proposed, projectIds });
  await requireAttachments(deps, deps.database.db, context.userId, request.projectIds, request.attachments);
  const prepared = await prepareText(deps.embedder, request.draft, 'save');
  const { similar, obsolete } = await lookAround(deps, prepared, context);
  const linked: { noteId: number; ids: readonly number[] } = { noteId: 0, ids: [] };
  const answer = await commitChanges(deps, context, async (trx) => {
    const nowMs = deps.clock.now();
    const { userId } = context;
    // while the text was embedded, what the note refers to may have gone
    await requireAttachments(deps, trx, userId, request.projectIds, request.attachments);
    const memory = await insertMemory(trx, { draft: request.draft, userId, projectIds: request.projectIds, nowMs });
    const vectors = await fileMemory(trx, memory, prepared, nowMs);
    await attach(trx, userId, memory.id, request.attachments, nowMs);
    const nearest = similar.slice(0, deps.settings.automaticLinks).map((item) => item.memory.id);
    const present = await memoriesByIds(trx, userId, nearest);
    const targets = nearest.filter((id) => present.get(id)?.status === 'active');
    const linkedIds = await addLinks(trx, {
      userId,
      sourceId: memory.id,
      targetIds: targets,
      origin: 'automatic',
      nowMs,
    });
    Object.assign(linked, { noteId: memory.id, ids: linkedIds });
    const changes: Change[] = [
      { kind: 'memory', thingId: memory.id, action: 'created', snapshot: memory },
      ...linkedIds.map((targetId) => linkChange(memory.id, targetId, 'created', 'automatic')),
    ];
    const log = await recordChanges(trx, context, deps.clock, changes);
    const warnings = prepared.state === 'pending' ? ['embedding_pending'] : [];
    return { answer: answerOf({ memory, linkedIds, similar, obsolete, warnings }), vectors: [vectors], log };
  });
  if (answer === 'look again') throw new LociError('internal', 'A note never looks again.');
  if (!deps.policy.isSet) return answer;
  const found = { similar: similar.map(matchToWords), obsolete: obsolete.map(matchToWords), linked_ids: linked.ids };
  const write = { operation: 'create', previous: null, proposed, projectIds, id: linked.noteId, found } as const;
  return withRemarks(answer, [...warned, ...(await judgeAfter(deps, write))]);
}

/** A note found around the new one, as a policy sees it. */
function matchToWords({ memory, similarity }: { memory: Memory; similarity: number }) {
  return { id: memory.id, title: shownTitle(memory), similarity };
}

/** A link between two notes as the log of changes tells it. */
export function linkChange(sourceId: number, targetId: number, action: 'created' | 'deleted', origin: string): Change {
  return { kind: 'link', thingId: 0, action, metadata: { source_id: sourceId, target_id: targetId, origin } };
}

async function lookAround(deps: MemoryDeps, prepared: PreparedText, context: CallContext) {
  const { vector, modelId } = prepared;
  if (vector === null) return { similar: [], obsolete: [] };
  const { settings, vectors } = deps;
  const filter = { userId: context.userId, kinds: ['memory'], projectIds: null, types: null };
  const wanted = Math.max(maxSimilar, settings.automaticLinks);
  const [near, past] = await Promise.all([
    vectors.search({ vector, modelId, filter: { ...filter, statuses: ['active'] }, limit: wanted }),
    settings.obsoleteThreshold === null
      ? null
      : vectors.search({
          vector,
          modelId,
          filter: { ...filter, statuses: ['archived', 'obsolete'] },
          limit: maxObsolete,
        }),
  ]);
  const linkFrom = mapThreshold(settings.linkThreshold, modelId, near.noise);
  const similarHits = near.hits.filter((hit) => hit.similarity >= linkFrom);
  const obsoleteHits =
    past?.hits.filter((hit) => hit.similarity >= mapThreshold(settings.obsoleteThreshold ?? 1, modelId, near.noise)) ??
    [];
  const ids = [...similarHits, ...obsoleteHits].map((hit) => hit.id);
  const rows = await memoriesByIds(deps.database.db, context.userId, ids);
  const nowMs = deps.clock.now();
  const live = (hits: readonly VectorHit[], wanted: boolean) =>
    found(hits, rows, (memory) => isLive(memory, nowMs) === wanted);
  return { similar: live(similarHits, true), obsolete: live([...obsoleteHits, ...similarHits], false) };
}

function found(hits: readonly VectorHit[], rows: ReadonlyMap<number, Memory>, isWanted: (memory: Memory) => boolean) {
  return hits.flatMap(({ id, similarity }) => {
    const memory = rows.get(id);
    return memory === undefined || !isWanted(memory) ? [] : [{ memory, similarity }];
  });
}
