// The second half of the composition root: everything that needs the database, in the order in which it comes to life.

import { join } from 'node:path';
import { activityOperations, createActivityStreams, createReadRecorder } from '#daemon/activity/index.ts';
import { backupJobs } from '#daemon/backups/index.ts';
import { codeArtifactKind, codeArtifactOperations } from '#daemon/code-artifacts/index.ts';
import { documentKind, documentOperations } from '#daemon/documents/index.ts';
import { createReranker } from '#daemon/embeddings/create-reranker.ts';
import { fileKind, fileOperations } from '#daemon/files/index.ts';
import { entitiesFollowProject, type GraphDeps, graphRoomOperations, pendingEntity } from '#daemon/graph/index.ts';
import { type HealthDeps, healthOperations, overallHealth } from '#daemon/health/index.ts';
import { createHooks } from '#daemon/hooks/index.ts';
import { createJobs, storageJobs, systemTimers } from '#daemon/jobs/index.ts';
import type { Caller } from '#daemon/kernel/caller.ts';
import { type CallContext, internalContext } from '#daemon/kernel/context.ts';
import type { OpenEventStream } from '#daemon/kernel/event-stream.ts';
import { type AnswerStore, createInvoke, type Invoke } from '#daemon/kernel/invoke.ts';
import { createKeyedMutex } from '#daemon/kernel/keyed-mutex.ts';
import { provenanceDefaults, withProvenance } from '#daemon/kernel/provenance-defaults.ts';
import { createRegistry } from '#daemon/kernel/registry.ts';
import { readScopes } from '#daemon/kernel/scopes.ts';
import type { OpenExport, ReceiveImport } from '#daemon/kernel/transfer-streams.ts';
import { createSummariser } from '#daemon/llm/summariser.ts';
import {
  consolidateAfterSaves,
  createAccesses,
  createPendingEmbeddings,
  type MemoryDeps,
  memoryJobs,
  memoryOperations,
  pendingMemory,
} from '#daemon/memories/index.ts';
import { createPageSessions, pageOperations } from '#daemon/page/index.ts';
import { planFollower, planOperations } from '#daemon/plans/index.ts';
import { createPolicies } from '#daemon/policies/index.ts';
import { createProjectResolver, createProjects } from '#daemon/projects/index.ts';
import { createReEmbedding, type ReEmbeddingDeps, reEmbeddingOperations } from '#daemon/re-embedding/index.ts';
import { createRetrievalByReader } from '#daemon/retrieval/retrieve-by-reader.ts';
import type { RetrievalQueries } from '#daemon/retrieval/retrieve-in-reader.ts';
import { scrubOperations } from '#daemon/scrub/index.ts';
import { guardInput } from '#daemon/secrets/guard-input.ts';
import { type SkillDeps, skillKind, skillRoomOperations } from '#daemon/skills/index.ts';
import { createAnswerStore } from '#daemon/storage/answers.ts';
import { memoryCounts } from '#daemon/storage/memory-counts.ts';
import { retryDirectionless } from '#daemon/storage/vectors/store-vectors.ts';
import { existingIds, followProject, pendingThing, type ThingDeps } from '#daemon/things/index.ts';
import { createTransfer } from '#daemon/transfer/index.ts';
import { createUsers, openRevokedTokens } from '#daemon/users/index.ts';
import type { SettingValues } from '#shared/settings.ts';
import { backupFolderOf } from './open-backups.ts';
import { openModels } from './open-models.ts';
import { openStorage } from './open-storage.ts';
import type { StoreOptions } from './store-options.ts';

export type Store = {
  /** Runs an operation's handler; input is parsed already. */
  handle(name: string, input: never, context: CallContext): Promise<unknown>;
  /** Calls an operation from inside the house, by the one door. */
  readonly invoke: Invoke;
  readonly answers: AnswerStore;
  /** Whom a token that was created here, or that an issuer signed, stands for; null for any other. */
  callerOf(token: string): Promise<Caller | null>;
  /** The code by which the owner can make a token valid that is not yet. */
  offerLogin(token: string, peer: string): { readonly code: string; readonly expiresInMs: number };
  health(): 'ok' | 'degraded';
  /** Memories of all users by status, for the metrics. */
  memoryCounts(): Promise<Record<string, number>>;
  readonly openEventStream: OpenEventStream;
  /** Ends the streams of events, which would keep their connections open for ever. */
  endEventStreams(): void;
  readonly openExport: OpenExport;
  readonly receiveImport: ReceiveImport;
  close(): Promise<void>;
};

/** The vector table is compared with the database once after each start, when the first searches have had their turn. */
const reconcileAfterMs = 3 * 60_000;

/** Opens the database, brings it up to date and starts what works on it. Throws `unavailable` when it cannot be opened. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { paths, logger, clock, events, backups } = options;
  const settings = options.settings.values;
  const timers = options.timers ?? systemTimers;
  await backups.beforeOpening();
  const storage = await openStorage<RetrievalQueries>(options);
  const { database, reader } = storage;
  const models = await openModels(options, database, storage.isShared);
  const embedder = models.active;
  const vectors = storage.openVectors(() => ({ modelId: embedder.modelId, dimensions: embedder.dimensions }));
  const answers = createAnswerStore(database, clock);
  const modelId = () => embedder.modelId;
  const projects = createProjects({
    database,
    clock,
    events,
    vectors,
    followers: [
      followProject(documentKind, modelId),
      followProject(codeArtifactKind, modelId),
      followProject(fileKind, modelId),
      followProject(skillKind, modelId),
      entitiesFollowProject(modelId),
      planFollower,
    ],
  });
  const accesses = createAccesses({ database, clock, logger });
  const texts = {
    memory: (id: number) => pendingMemory(database, id),
    document: pendingThing(database, documentKind),
    code_artifact: pendingThing(database, codeArtifactKind),
    skill: pendingThing(database, skillKind),
    entity: (id: number) => pendingEntity(database, id),
  };
  const pending = createPendingEmbeddings({ database, embedder, vectors, clock, logger, texts });
  const reranker = createReranker({ clock, logger }, settings, { modelsFolder: join(paths.data, 'models') });
  const reEmbeddingDeps: ReEmbeddingDeps = {
    ...models,
    database,
    reader,
    vectors,
    pending,
    texts,
    clock,
    logger,
    isShared: storage.isShared,
    exclusive: () => storage.exclusive('re-embedding'),
    exactLimit: settings['vectors.exact_limit'],
    dataFolder: paths.data,
  };
  const reEmbedding = createReEmbedding(reEmbeddingDeps);
  const policies = createPolicies({ settings, configFolder: paths.config, logger });
  const memories: MemoryDeps = {
    database,
    reader,
    vectors,
    embedder,
    retrieval: createRetrievalByReader({
      reader,
      vectors,
      embedder,
      isPartial: () => reEmbedding.present()?.run.state === 'partial',
    }),
    projects,
    resolver: createProjectResolver({ clock }),
    events,
    clock,
    logger,
    settings: {
      mergeThreshold: settings['merge.threshold'],
      obsoleteThreshold: settings['obsolete_warning.enabled'] ? settings['obsolete_warning.threshold'] : null,
      decayStrength: settings['ranking.decay_strength'],
      halfLifeDays: settings['decay.half_life_days'],
      consolidation: {
        below: settings['consolidate.below'],
        threshold: settings['consolidate.threshold'],
        minCandidates: settings['consolidate.min_candidates'],
      },
      cleaning: {
        archiveBelow: settings['clean.archive_below'],
        duplicateThreshold: settings['clean.duplicate_threshold'],
      },
      automaticLinks: settings['links.automatic'],
      linkThreshold: settings['links.threshold'],
      tokenBudget: settings['query.token_budget'],
      maxMemories: settings['query.max_memories'],
      rerankCandidates: settings['rerank.candidates'],
    },
    policy: policies.memory,
    reranker,
    summariser: createSummariser({ database, clock, logger, env: options.env }, settings),
    agentFolder: agentFolderOf(options.env),
    mutex: createKeyedMutex(),
    accesses,
    pending,
    answers,
    attachable: {
      document: (db, userId, ids) => existingIds(db, documentKind, userId, ids),
      code_artifact: (db, userId, ids) => existingIds(db, codeArtifactKind, userId, ids),
      file: (db, userId, ids) => existingIds(db, fileKind, userId, ids),
      skill: (db, userId, ids) => existingIds(db, skillKind, userId, ids),
    },
  };
  const secretsMode = settings['secrets.mode'] === 'redact' ? 'redact' : 'refuse';
  const ceiling = readScopes(settings['auth.scopes']);
  const users = createUsers(
    { database, clock, events, logger, ceiling, revoked: openRevokedTokens(paths.config) },
    settings,
  );
  const hooks = createHooks({
    memories,
    spoolFolder: paths.spool,
    settings: {
      recallLimit: settings['hooks.recall_limit'],
      recallTokens: settings['hooks.recall_tokens'],
      floor: settings['hooks.floor'],
      secrets: settings['secrets.mode'] === 'refuse' ? 'refuse' : 'redact',
    },
  });
  const things: ThingDeps = memories;
  const skills: SkillDeps = { ...memories, existing: memories.attachable };
  const graph: GraphDeps = {
    ...memories,
    policy: policies.entity,
    existingFiles: memories.attachable.file,
    maxNodes: settings['graph.max_nodes'],
    turnedOff: turnedOffKinds(settings),
  };
  const transfer = createTransfer({
    ...memories,
    folder: paths.imports,
    source: storage.source,
    isShared: storage.isShared,
    secrets: settings['secrets.mode'] === 'refuse' ? 'refuse' : 'redact',
  });
  const jobs = createJobs({
    database,
    clock,
    logger,
    settings,
    timers,
    exclusive: storage.exclusive,
    jobs: [
      ...memoryJobs(memories),
      ...backupJobs({ backups, embedder }),
      ...storageJobs({ vectors, database, clock, activityRetentionDays: settings['activity.retention_days'] }),
    ],
  });
  const health: HealthDeps = {
    database,
    reader,
    vectors,
    embedder,
    reEmbedding: reEmbedding.present,
    projects,
    clock,
    paths: { ...paths, backups: backupFolderOf(options) },
    backups,
    settings: { halfLifeDays: settings['decay.half_life_days'], fadingBelow: settings['consolidate.below'] },
    allSettings: options.settings,
    team() {
      const behindMs = storage.behindMs();
      return behindMs === null ? null : { leads: storage.isLeading(), behindMs };
    },
    startedAtMs: options.startedAtMs,
    port: options.port,
    lastRuns: jobs.lastRuns,
  };
  const registry = createRegistry([
    ...scrubOperations({ memories, logger, invoke: (...call) => invoke(...call) }),
    ...memoryOperations(memories, () => overallHealth(health)),
    ...hooks.operations,
    ...users.operations,
    ...projects.operations,
    ...documentOperations(things),
    ...codeArtifactOperations(things),
    ...fileOperations(things),
    ...graphRoomOperations(graph),
    ...skillRoomOperations(skills),
    ...planOperations({ database, projects, events, clock, policy: policies.plan }),
    ...activityOperations({ reader }),
    ...reEmbeddingOperations(reEmbeddingDeps, reEmbedding),
    ...healthOperations(health),
    ...jobs.operations,
    ...pageOperations({ sessions: options.pageSessions ?? createPageSessions(clock), port: options.port }),
    ...transfer.operations,
  ]);

  await database
    .write(internalContext, retryDirectionless)
    .catch((error) => logger.warn({ err: error }, 'texts without a direction are not tried again'));
  await storage.follow({
    changed: (changes) => {
      for (const change of changes) events.announce(change);
    },
    rewritten: (keys) => reader.reread(keys),
    replaced: () => options.replaced?.(),
    model: (modelId) => reEmbedding.follow(modelId),
    async lead() {
      await jobs.start();
      pending.wake(); // of a daemon that ended before it was done
      if (storage.isShared) reEmbedding.resume();
    },
    follow: () => jobs.pause(),
  });
  const stopAfterSaves = consolidateAfterSaves({
    events,
    clock,
    timers,
    run() {
      if (!jobs.isEnabled('consolidate') || !storage.isLeading()) return;
      jobs.runNow('consolidate').catch((error) => logger.warn({ err: error }, 'consolidation could not begin'));
    },
  });
  const reconcileSoon = setTimeout(() => {
    if (!storage.isLeading()) return;
    jobs.runNow('reconcile').catch((error) => logger.warn({ err: error }, 'reconcile at start failed'));
  }, reconcileAfterMs);
  reconcileSoon.unref();
  pending.wake();
  await reEmbedding.begin();
  hooks.start();
  await transfer.start();
  void backups.list().catch((error) => logger.warn({ err: error }, 'the backups could not be listed'));
  logger.info({ model: embedder.modelId }, 'store open');

  const provenance = provenanceDefaults(settings);
  const streams = createActivityStreams({ database, events, logger });
  const recordRead = settings['activity.track_reads'] ? createReadRecorder({ database, events, clock, logger }) : null;

  const handle: Store['handle'] = async (name, input, context) => {
    const operation = registry.get(name);
    if (operation === undefined) throw new Error(`the operation ${name} is declared and not implemented`);
    const guarded = guardInput(operation.contract, input, secretsMode);
    const call = withProvenance(provenance, operation.contract, guarded, context);
    const output = await operation.handle(call.input, call.context);
    if (recordRead !== null) await recordRead(name, input, output, context);
    return output;
  };
  const served = registry.all().map(({ contract }) => ({
    contract,
    handle: (input: never, context: CallContext) => handle(contract.name, input, context),
  }));
  const invoke = createInvoke({ registry: createRegistry(served), answers });

  return {
    handle,
    invoke,
    answers,
    callerOf: users.callerOf,
    offerLogin: users.offerLogin,
    openEventStream: streams.open,
    endEventStreams: streams.endAll,
    openExport: transfer.openExport,
    receiveImport: transfer.receiveImport,
    health: () => (overallHealth(health) === 'ok' ? 'ok' : 'degraded'),
    memoryCounts: () => memoryCounts(database.db),
    async close() {
      await storage.stopFollowing();
      stopAfterSaves();
      users.close();
      clearTimeout(reconcileSoon);
      await jobs.stop();
      await hooks.stop();
      await reEmbedding.stop();
      await transfer.stop();
      await pending.stop();
      await accesses.stop();
      await policies.close();
      await vectors.close();
      await reader.close();
      await embedder.close();
      await reranker?.close();
      await database.close();
    },
  };
}

/** Where Claude Code keeps the notes that Loci refreshes; null for a daemon without a home. */
function agentFolderOf(env: NodeJS.ProcessEnv): string | null {
  if (env.CLAUDE_CONFIG_DIR) return env.CLAUDE_CONFIG_DIR;
  return env.HOME ? join(env.HOME, '.claude') : null;
}

/** Kinds of things that a setting turns off, with its key. */
function turnedOffKinds(settings: SettingValues): GraphDeps['turnedOff'] {
  const switches = [
    ['skill', 'categories.skills'],
    ['file', 'categories.files'],
    ['plan', 'categories.plans'],
    ['task', 'categories.plans'],
  ] as const;
  return new Map(switches.filter(([, key]) => !settings[key]));
}
