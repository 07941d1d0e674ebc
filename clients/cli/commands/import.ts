// `loci import FILE`: the file or folder is read here, because only the client may look into the caller's folders (the daemon may be on
// another machine), and goes to the daemon part by part; then the daemon works and is asked how it goes. Should it end meanwhile, the next
// question starts it again and it goes on.
import { statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { Command, Option } from 'commander';
import type { Connection } from '#clients/connect/connection.ts';
import {
  cancelImport,
  getImport,
  type ImportStatus,
  maxPartBytes,
  runImport,
  sourceKinds,
  startImport,
} from '#shared/contract/transfer.ts';
import { LociError } from '#shared/errors.ts';
import type { CommandDeps } from '../derive-command.ts';
import { exitBadInput, exitUnexpected } from '../exit-codes.ts';
import { addGlobalOptions } from '../global-options.ts';
import { whenInterrupted } from '../interrupt.ts';
import type { Mount } from '../mount.ts';
import { createProgress, type Progress } from '../render/progress.ts';
import { renderImport } from '../render/transfer.ts';
import type { Session } from '../session.ts';
import { createProjectOf } from './folder-projects.ts';
import { filesOf, folderLines, isCompressed, isMarkdown, unpackedFile, walOf } from './import-source.ts';

type Flags = { from?: string; project?: string; dryRun?: boolean; skipInvalid?: boolean };

const pollMs = 150;

export function addImportCommand(mount: Mount, deps: CommandDeps): void {
  const command = addGlobalOptions(
    new Command('import')
      .summary('read a file from Loci or another program')
      .description(
        'Move memories in: all of the file, or nothing where one record is bad. What is here already is known again and stays; what both sides changed is merged, and nothing of either is lost.',
      )
      .argument('<path>', 'a file, a folder of Markdown files or one of them, or `-` for stdin')
      .addOption(new Option('--from <kind>', `what wrote it: ${sourceKinds.join(', ')} (default: found out)`))
      .addOption(new Option('--project <text>', 'where records without a project go'))
      .addOption(new Option('--dry-run', 'only count and compare'))
      .addOption(new Option('--skip-invalid', 'store the good records and list the others')),
  );
  command.action(async (path: string) => {
    const session = deps.openSession(command);
    const status = await importPath(session, path, command.opts<Flags>());
    if (status.state === 'failed') {
      throw new LociError(status.error_code ?? 'internal', status.error ?? 'The import failed.');
    }
    session.print(status, () => renderImport(status));
    if (status.state === 'refused') deps.setExitCode(exitBadInput);
    else if (status.state !== 'done') deps.setExitCode(exitUnexpected);
  });
  mount('import', command);
}

async function importPath(session: Session, path: string, flags: Flags): Promise<ImportStatus> {
  const parts = partsOf(session, path);
  const connection = await session.connection();
  const begun = (await connection.call(startImport.name, {
    ...(flags.from === undefined ? {} : { from: flags.from }),
    ...(flags.project === undefined ? {} : { project: flags.project }),
    dry_run: flags.dryRun === true,
    skip_invalid: flags.skipInvalid === true,
  })) as ImportStatus;
  const progress = createProgress(session);
  const giveUp = async (): Promise<void> => {
    await connection.call(cancelImport.name, { import_id: begun.import_id });
  };
  let isInterrupted = false;
  const settled = whenInterrupted(async () => {
    isInterrupted = true;
    progress.end();
    await giveUp().then(
      () => session.notice('Nothing was imported.'),
      () =>
        session.notice('It is being stored, and the daemon goes on with it. The same import again tells how it ended.'),
    );
  });
  try {
    await upload(connection, begun.import_id, parts, progress);
    return await untilEnd(connection, begun.import_id, progress);
  } catch (error) {
    // what was given up is gone, and the program ends for that
    if (isInterrupted) return await new Promise<never>(() => undefined);
    await giveUp().catch(() => undefined);
    throw error;
  } finally {
    settled();
    progress.end();
  }
}

type Parts = {
  readonly content: AsyncIterable<Uint8Array>;
  readonly wal: AsyncIterable<Uint8Array> | null;
  readonly sizeBytes: number | null;
};

function partsOf(session: Session, path: string): Parts {
  if (path === '-') return { content: session.io.stdin as Readable, wal: null, sizeBytes: null };
  let stats: ReturnType<typeof statSync>;
  try {
    stats = statSync(path);
  } catch {
    throw new LociError('not_found', `There is no file or folder ${path}.`, { path });
  }
  if (stats.isDirectory() || isMarkdown(path)) {
    const projectOf = createProjectOf(session.connection);
    return { content: folderLines(path, projectOf), wal: null, sizeBytes: null };
  }
  if (stats.isFile() && isCompressed(path)) return { content: unpackedFile(path), wal: null, sizeBytes: null };
  return { content: filesOf(path), wal: walOf(path), sizeBytes: stats.size };
}

async function upload(connection: Connection, id: string, parts: Parts, progress: Progress): Promise<void> {
  const send = async (file: 'content' | 'wal', bytes: AsyncIterable<Uint8Array>): Promise<number> => {
    let offset = 0;
    for await (const part of inParts(bytes)) {
      await connection.putBytes(`/api/v1/imports/${id}/content?file=${file}&offset=${offset}`, part);
      offset += part.byteLength;
      progress.show('sending', offset, parts.sizeBytes);
    }
    return offset;
  };
  if ((await send('content', parts.content)) === 0) {
    throw new LociError('invalid_input', 'The file is empty: there is nothing to import.');
  }
  if (parts.wal !== null) await send('wal', parts.wal);
}

/** The same bytes in parts of nearly equal size. */
async function* inParts(bytes: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    let rest: Uint8Array = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    while (length + rest.byteLength >= maxPartBytes) {
      const fits = maxPartBytes - length;
      yield Buffer.concat([...held, rest.subarray(0, fits)]);
      rest = rest.subarray(fits);
      held = [];
      length = 0;
    }
    if (rest.byteLength > 0) held.push(rest);
    length += rest.byteLength;
  }
  if (length > 0) yield Buffer.concat(held);
}

/** Runs it, and runs it again where the daemon ended under it. */
async function untilEnd(connection: Connection, import_id: string, progress: Progress): Promise<ImportStatus> {
  let runs = 1;
  let status = (await connection.call(runImport.name, { import_id })) as ImportStatus;
  for (;;) {
    const { done, total, unit } = status.progress;
    if (status.state === 'interrupted' && runs < 5) {
      runs += 1;
      status = (await connection.call(runImport.name, { import_id })) as ImportStatus;
    } else if (status.state !== 'reading' && status.state !== 'applying') return status;
    progress.show(unit === 'bytes' ? 'reading' : 'storing', done, total);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    status = (await connection.call(getImport.name, { import_id })) as ImportStatus;
  }
}
