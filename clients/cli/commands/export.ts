// `loci export [FILE|-]`: the stream of the daemon into a file or a pipe. A file is written beside its place and moved there when it is
// whole, so that an export that broke off never passes for one.
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Command, Option } from 'commander';
import { LociError } from '#shared/errors.ts';
import type { CommandDeps } from '../derive-command.ts';
import { addGlobalOptions } from '../global-options.ts';
import { whenInterrupted } from '../interrupt.ts';
import type { Mount } from '../mount.ts';
import { countsLine } from '../render/transfer.ts';
import type { Session } from '../session.ts';

type Flags = { project?: string; includeObsolete?: boolean };
type Head = { readonly counts: Readonly<Record<string, number>>; readonly left_out: { readonly memories: number } };

export function addExportCommand(mount: Mount, deps: CommandDeps): void {
  const command = addGlobalOptions(
    new Command('export')
      .summary('write everything into a file')
      .description(
        'Write your memories and everything beside them as JSON lines (docs/export-format.md): live memories, or with --include-obsolete those that are archived, obsolete or expired too.',
      )
      .argument('[file]', 'where to; `-`, or none into a pipe, is stdout')
      .addOption(new Option('--project <text>', 'only this project'))
      .addOption(new Option('--include-obsolete', 'archived, obsolete and expired memories too')),
  );
  command.action(async (file: string | undefined) => {
    const session = deps.openSession(command);
    const toStdout = file === undefined || file === '-';
    if (file === undefined && session.io.stdout.isTTY === true) {
      throw new LociError(
        'invalid_input',
        'Name the file to write, such as `loci export memories.jsonl`, or `-` for the screen.',
      );
    }
    const lines = await (await session.connection()).openStream(pathOf(command.opts<Flags>()));
    if (toStdout) tell(session, await pipe(lines, session.io.stdout), null);
    else tell(session, await intoFile(lines, file), file);
  });
  mount('export', command);
}

function pathOf({ project, includeObsolete }: Flags): string {
  const query = new URLSearchParams();
  if (project !== undefined) query.set('project', project);
  if (includeObsolete === true) query.set('include_obsolete', 'true');
  return `/api/v1/export?${query}`;
}

async function intoFile(lines: IncomingMessage, file: string): Promise<Head> {
  const part = `${file}.part`;
  const settled = whenInterrupted(() => rm(part, { force: true }));
  try {
    const head = await pipe(lines, createWriteStream(part, { mode: 0o600 }), true);
    await rename(part, file);
    return head;
  } catch (error) {
    await rm(part, { force: true });
    if (error instanceof LociError) throw error;
    throw new LociError(
      'invalid_input',
      `${file} cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`,
    );
  } finally {
    settled();
  }
}

/** Copies as fast as the other side takes it; answers the head line. Throws when the stream broke off. */
async function pipe(lines: IncomingMessage, to: NodeJS.WritableStream, isOurs = false): Promise<Head> {
  let beginning = '';
  const failed = new Promise<never>((_, reject) => to.once('error', reject));
  failed.catch(() => undefined);
  for await (const chunk of lines as AsyncIterable<Buffer>) {
    if (!beginning.includes('\n')) beginning += chunk.toString('utf8');
    if (!to.write(chunk)) await Promise.race([failed, new Promise<void>((resolve) => to.once('drain', resolve))]);
  }
  if (!lines.complete)
    throw new LociError('unavailable', 'The daemon went away in the middle of the export: run it again.');
  if (isOurs) await Promise.race([failed, new Promise<void>((resolve) => to.end(resolve))]);
  return JSON.parse(beginning.slice(0, beginning.indexOf('\n'))) as Head;
}

function tell(session: Session, { counts, left_out: leftOut }: Head, file: string | null): void {
  const said = `Exported ${countsLine(counts)}${file === null ? '' : ` to ${file}`}.`;
  if (file === null) session.notice(said);
  else session.print({ file, counts, left_out: leftOut }, () => ({ result: said }));
  if (leftOut.memories > 0) {
    session.notice(
      `${leftOut.memories} archived, obsolete or expired memories were left out: --include-obsolete exports them too.`,
    );
  }
}
