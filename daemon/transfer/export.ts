// An export as a stream: one head line that says what follows, then one line a record. Pages are asked of the reader thread only when
// the last one has been taken, so a slow reader slows the export down and nothing else.

import type { Clock } from '#daemon/kernel/clock.ts';
import { toUtc } from '#daemon/kernel/clock.ts';
import type { CallContext } from '#daemon/kernel/context.ts';
import type { ExportRequest } from '#daemon/kernel/transfer-streams.ts';
import type { Projects } from '#daemon/projects/index.ts';
import type { Reader } from '#daemon/storage/reader.ts';
import type { ExportHead } from '#daemon/storage/records/export-cursor.ts';
import type { Database } from '#daemon/storage/sqlite.ts';
import { LociError } from '#shared/errors.ts';
import { version } from '#shared/version.ts';
import { exportFormat, headKind } from './format/head.ts';
import { requireAll } from './scopes.ts';

export type ExportDeps = {
  readonly database: Database;
  readonly reader: Reader;
  readonly projects: Projects;
  readonly clock: Clock;
};

const pageBytes = 256 * 1024;

/** Begins an export of the caller's own things. Throws `not_found` for a project, `forbidden` for a caller who may not read everything. */
export async function openExport(
  deps: ExportDeps,
  request: ExportRequest,
  context: CallContext,
): Promise<AsyncIterable<Uint8Array>> {
  requireAll('read', 'export', context);
  const { userId } = context;
  const projectId = await projectIdOf(deps, request.project, userId);
  const scope = { userId, projectId, all: request.includeObsolete, nowMs: deps.clock.now() };
  const { cursor } = await deps.reader.ask('exportOpen', scope);
  try {
    const head = await headOf(deps.reader, cursor);
    return pages(deps.reader, cursor, headLine(head, request, deps.clock.now()));
  } catch (error) {
    await close(deps.reader, cursor);
    throw error;
  }
}

async function projectIdOf(deps: ExportDeps, name: string | null, userId: number): Promise<number | null> {
  if (name === null) return null;
  const id = await deps.projects.idByName(deps.database.db, userId, name);
  if (id !== null) return id;
  const near = await deps.projects.near(deps.database.db, userId, name);
  const hint = near.length === 0 ? '' : ` Near names: ${near.join(', ')}.`;
  throw new LociError('not_found', `There is no project of that name.${hint}`, { project: 'no such project', near });
}

async function headOf(reader: Reader, cursor: number): Promise<ExportHead> {
  for (;;) {
    const { head } = await reader.ask('exportHead', { cursor });
    if (head !== null) return head;
  }
}

function headLine(head: ExportHead, request: ExportRequest, nowMs: number): Uint8Array {
  const line = {
    kind: headKind,
    format: exportFormat,
    loci_version: version,
    exported_at: toUtc(nowMs),
    user: head.user,
    project: request.project,
    include_obsolete: request.includeObsolete,
    counts: head.counts,
    left_out: { memories: head.leftOut },
  };
  return Buffer.from(`${JSON.stringify(line)}\n`);
}

async function* pages(reader: Reader, cursor: number, head: Uint8Array): AsyncGenerator<Uint8Array> {
  try {
    yield head;
    for (;;) {
      const { lines } = await reader.ask('exportNext', { cursor, maxBytes: pageBytes });
      if (lines === null) return;
      yield lines;
    }
  } finally {
    await close(reader, cursor);
  }
}

/** Without a thread there is no snapshot to let go of. */
async function close(reader: Reader, cursor: number): Promise<void> {
  await reader.ask('exportClose', { cursor }).catch(() => undefined);
}
