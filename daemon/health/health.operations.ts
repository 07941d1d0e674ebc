// How the parts of the daemon are, and where it listens. Each part says why when it is not well.
import { statfsSync } from 'node:fs';
import { toUtc } from '#daemon/kernel/clock.ts';
import { implement, type Operation } from '#daemon/kernel/operation.ts';
import { memoryHealth, memoryStart, memoryStats } from '#shared/contract/overview.ts';
import { listAgents, listSettings } from '#shared/contract/page.ts';
import { version } from '#shared/version.ts';
import type { HealthDeps, Part } from './deps.ts';
import { settingsToWords } from './settings-words.ts';
import { storeStatistics } from './statistics.ts';

/** Below this much free space writes are about to fail. */
const lowDiskBytes = 200 * 2 ** 20;

export function healthOperations(deps: HealthDeps): Operation[] {
  return [
    implement(memoryHealth, async () => {
      const parts = partsOf(deps);
      const backups = deps.backups.state();
      return {
        status: overall(Object.values(parts)),
        version,
        pid: process.pid,
        uptime_s: Math.round((deps.clock.now() - deps.startedAtMs) / 1000),
        ...parts,
        embedder: { ...parts.embedder, model: deps.embedder.modelId },
        backups: { last_at: backups.lastAt, rehearsed_at: backups.rehearsedAt },
      };
    }),
    implement(memoryStart, async () => {
      const port = deps.port();
      return {
        running: true,
        version,
        pid: process.pid,
        socket: deps.paths.httpSocket,
        mcp_socket: deps.paths.mcpSocket,
        port,
        page: port === null ? null : `http://127.0.0.1:${port}/`,
      };
    }),
    implement(memoryStats, (input, context) => storeStatistics(deps, input, context)),
    implement(listSettings, async () => ({ settings: settingsToWords(deps.allSettings) })),
    implement(listAgents, async (_input, { userId }) => {
      const { agents } = await deps.reader.ask('agents', { userId });
      return { agents: agents.map(({ lastMs, ...agent }) => ({ ...agent, last_seen_at: toUtc(lastMs) })) };
    }),
  ];
}

/** The state of the whole: down when the store is, degraded when any part is not ok. */
export function overallHealth(deps: HealthDeps): Part['status'] {
  return overall(Object.values(partsOf(deps)));
}

function partsOf(deps: HealthDeps) {
  return {
    daemon: { status: 'ok' } as Part,
    database: databasePart(deps),
    vector_index: deps.vectors.state() as Part,
    embedder: embedderPart(deps),
    jobs: jobsPart(deps),
    disk: diskPart(deps),
    ...teamPart(deps),
  };
}

function embedderPart({ embedder, reEmbedding }: HealthDeps): Part {
  const state = embedder.state();
  const present = reEmbedding();
  if (present === null || state.status !== 'ok') return state;
  const { run, why } = present;
  switch (run.state) {
    case 'partial':
      return {
        status: 'degraded',
        why: `The memories were embedded with ${run.from}, which cannot be had, and the settings ask for ${run.to}: until all are embedded anew, some are found by keyword alone. \`loci re-embed\` shows how far it is; to go back set embedding.provider and embedding.model.`,
      };
    case 'failed':
      return {
        status: 'degraded',
        why: `Embedding everything with ${run.to} failed: ${why} \`loci re-embed\` tries again.`,
      };
    case 'building':
      return {
        status: 'ok',
        why: `Everything is being embedded with ${run.to}: \`loci re-embed\` shows how far it is.${why === null ? '' : ` ${why}`}`,
      };
  }
}

function databasePart(deps: HealthDeps): Part {
  return deps.database.isAlive()
    ? { status: 'ok' }
    : { status: 'down', why: 'The database does not answer: `loci logs` has the details.' };
}

function jobsPart(deps: HealthDeps): Part {
  const failed = deps.lastRuns().filter((run) => run.outcome === 'failed');
  if (failed.length === 0) return { status: 'ok' };
  return {
    status: 'degraded',
    why: `Last run failed: ${failed.map((run) => run.job).join(', ')}; see \`loci jobs list\`.`,
  };
}

/** It looks every two seconds. */
const behindMs = 15_000;

function teamPart({ team }: HealthDeps) {
  const found = team();
  if (found === null) return {};
  const figures = { leads: found.leads, behind_s: Math.round(found.behindMs / 1000) };
  const part: Part =
    found.behindMs < behindMs
      ? { status: 'ok' }
      : {
          status: 'degraded',
          why: `Nothing was heard of the other daemons for ${figures.behind_s} s: \`loci doctor\` looks at the database.`,
        };
  return { team: { ...part, ...figures } };
}

function diskPart(deps: HealthDeps): Part {
  const { bavail, bsize } = statfsSync(deps.paths.data);
  const freeBytes = bavail * bsize;
  if (freeBytes > lowDiskBytes) return { status: 'ok' };
  return {
    status: 'degraded',
    why: `Only ${Math.round(freeBytes / 2 ** 20)} MB are free where the data is: free some space.`,
  };
}

function overall(parts: readonly Part[]): Part['status'] {
  if (parts.some((part) => part.status === 'down')) return 'degraded';
  return parts.every((part) => part.status === 'ok') ? 'ok' : 'degraded';
}
