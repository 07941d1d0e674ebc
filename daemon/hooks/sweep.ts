// Saves of a transcript what is worth it and not stored yet: the best five. Reading and judging happen in a thread; here is what needs the
// store. Killed anywhere, a sweep is repeated: what was saved is found again by its text, and the position moves last.
import { basename, isAbsolute } from 'node:path';
import { type CallContext, internalContext } from '#daemon/kernel/context.ts';
import {
  checkSave,
  embeddedText,
  emptyDraft,
  guardAllows,
  type MemoryDraft,
  memoriesByIds,
  prepareText,
  savePrepared,
  shownTitle,
} from '#daemon/memories/index.ts';
import { mapThreshold } from '#daemon/retrieval/map-threshold.ts';
import type { GatheredStatement } from '#daemon/transcripts/gather.ts';
import type { StatementKind } from '#daemon/transcripts/score-statement.ts';
import type { memorySweep } from '#shared/contract/hooks.ts';
import type { MemoryType } from '#shared/contract/memory-record.ts';
import type { OutputOf } from '#shared/contract/operation.ts';
import { invalidField, LociError } from '#shared/errors.ts';
import type { HookDeps } from './deps.ts';
import { keepSweptPosition, keepSweptStatement, sweptPosition, sweptStatements } from './swept.repository.ts';

export type SweepRequest = {
  readonly path: string;
  readonly agent: string | null;
  readonly session: string | null;
  readonly project: string | null;
  readonly limit: number;
  readonly dryRun: boolean;
};

export type SweepAnswer = OutputOf<typeof memorySweep>;

/** More candidates than places: some are known already. */
const candidatesPerPlace = 6;
/** From this cosine (of the bundled model) a stored memory says it already, unless they differ in a number or a name. */
const knownFrom = 0.86;

const typeByKind: Readonly<Record<StatementKind, MemoryType>> = {
  decision: 'decision',
  preference: 'preference',
  fix: 'fact',
  fact: 'fact',
};

/** What a user says is worth more than what an agent says about its own work. */
const confidenceByRole = { user: 0.6, assistant: 0.45 } as const;

/** Throws `not_found` and `invalid_input` for what is no transcript, and `unavailable` where it could not be read to its end. */
export async function sweepTranscript(
  deps: HookDeps,
  request: SweepRequest,
  context: CallContext,
): Promise<SweepAnswer> {
  if (!isAbsolute(request.path)) throw invalidField('transcript_path', 'must be an absolute path');
  return deps.memories.mutex.run([`sweep\n${context.userId}\n${request.path}`], () => sweep(deps, request, context));
}

async function sweep(deps: HookDeps, request: SweepRequest, context: CallContext): Promise<SweepAnswer> {
  const { memories: room } = deps;
  const { db } = room.database;
  const { userId } = context;
  const { path, session, limit, dryRun } = request;
  const from = await sweptPosition(db, userId, path);
  const wanted = { path, session, from, limit: limit * candidatesPerPlace };
  const gathered = await deps.gather(wanted, context.signal ?? new AbortController().signal);
  const place = await room.resolver.resolve(context.folder ?? gathered.folder);
  const project = request.project ?? place.name;
  const taken = await sweptStatements(
    db,
    userId,
    gathered.statements.map(({ hash }) => hash),
  );

  const base: MemoryDraft = {
    ...emptyDraft(context, room.clock.now()),
    agent: request.agent ?? context.agent ?? gathered.format,
    session: session ?? gathered.session,
    branch: place.branch,
    worktree: place.worktree,
    source: 'conversation',
  };
  const saved: SweepAnswer['saved'] = [];
  const found: SweepAnswer['found'] = [];
  let known = 0;
  for (const statement of gathered.statements) {
    if (saved.length + found.length === limit || context.signal?.aborted === true) break;
    const draft = toDraft(base, statement, path);
    const isRefused = deps.settings.secrets === 'refuse' && statement.text.includes('[redacted: ');
    const outcome =
      isRefused || taken.has(statement.hash)
        ? 'known'
        : await saveOnce(deps, draft, statement, { project, dryRun }, context);
    const { type } = draft;
    const { score, line, text } = statement;
    if (outcome === 'known') known += 1;
    else if (outcome === 'dry run') found.push({ type, text, score, line });
    else saved.push({ id: outcome.id, outcome: outcome.outcome, type, title: shownTitle(draft), score, line });
  }
  if (!dryRun && context.signal?.aborted !== true) {
    const at = { userId, path, nowMs: room.clock.now() };
    await room.database.write(internalContext, (trx) => keepSweptPosition(trx, at, gathered.position));
  }
  const { format, messages, redactions, skipped } = gathered;
  room.logger.info({ format, messages, saved: saved.length, known, redactions, skipped }, 'transcript swept');
  const skipped_lines = [...gathered.skippedLines];
  return { format, project, saved, found, messages, known, redactions, skipped, skipped_lines, dry_run: dryRun };
}

type Outcome = { readonly id: number; readonly outcome: 'created' | 'merged' | 'unchanged' } | 'known' | 'dry run';

async function saveOnce(
  deps: HookDeps,
  draft: MemoryDraft,
  { hash }: GatheredStatement,
  { project, dryRun }: { project: string | null; dryRun: boolean },
  context: CallContext,
): Promise<Outcome> {
  const { memories: room } = deps;
  const request = { draft, project, supersedes: [], onDuplicate: 'merge' as const };
  try {
    await checkSave(room, request);
    const prepared = await prepareText(room.embedder, draft, 'bulk');
    const isKnown =
      prepared.vector !== null && (await isStored(deps, draft, { ...prepared, vector: prepared.vector }, context));
    if (dryRun) return isKnown ? 'known' : 'dry run';
    // parts of a call are changes of their own: the call's key belongs to its whole answer
    const part = { ...context, claim: null };
    const outcome = isKnown ? ('known' as const) : await savePrepared(room, request, prepared, part, 'bulk');
    await room.database.write(internalContext, (trx) =>
      keepSweptStatement(trx, context.userId, hash, room.clock.now()),
    );
    return outcome;
  } catch (error) {
    if (error instanceof LociError && error.code === 'rejected_by_policy') return 'known';
    throw error;
  }
}

/** Whether a memory of any project says it already. */
async function isStored(
  deps: HookDeps,
  draft: MemoryDraft,
  { vector, modelId }: { readonly vector: Float32Array; readonly modelId: string },
  { userId }: CallContext,
): Promise<boolean> {
  const { vectors, database } = deps.memories;
  const filter = { userId, kinds: ['memory'], statuses: ['active'], projectIds: null, types: null };
  const { hits, noise } = await vectors.search({ vector, modelId, filter, limit: 5 });
  const near = hits.filter(({ similarity }) => similarity >= mapThreshold(knownFrom, modelId, noise));
  const rows = await memoriesByIds(
    database.db,
    userId,
    near.map(({ id }) => id),
  );
  return [...rows.values()].some((memory) => guardAllows(embeddedText(draft), embeddedText(memory)));
}

function toDraft(base: MemoryDraft, { kind, text, role, atMs, line }: GatheredStatement, path: string): MemoryDraft {
  return {
    ...base,
    type: typeByKind[kind],
    content: text,
    confidence: confidenceByRole[role],
    tags: kind === 'fix' ? ['fix'] : [],
    author: role === 'user' ? 'user' : base.agent,
    sequence: line,
    occurredAtMs: atMs ?? base.occurredAtMs,
    metadata: { swept_from: basename(path), line },
  };
}
