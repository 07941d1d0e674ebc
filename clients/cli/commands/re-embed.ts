// `loci re-embed`: begins it, then watches it to its end, because whoever asked wants to know when it is done. The work is the daemon's:
// who breaks off here stops watching and nothing else.
import { Command, Option } from 'commander';
import { getReEmbedding, reEmbed } from '#shared/contract/re-embedding.ts';
import { LociError } from '#shared/errors.ts';
import type { CommandDeps } from '../derive-command.ts';
import { addGlobalOptions } from '../global-options.ts';
import { whenInterrupted } from '../interrupt.ts';
import type { Mount } from '../mount.ts';
import { renderOutput } from '../render/renderers.ts';
import type { Session } from '../session.ts';

type Flags = {
  provider?: string;
  model?: string;
  baseUrl?: string;
  batchSize?: string;
  dryRun?: boolean;
  wait: boolean;
};
type Status = { state: string; things: number; done: number; why: string | null };

const lookEveryMs = 500;

export function addReEmbedCommand(mount: Mount, deps: CommandDeps): void {
  const command = addGlobalOptions(
    new Command('re-embed')
      .summary('embed everything with another model')
      .description(
        'Embed everything that is stored with another model, or with what the settings say. Searches use the old vectors until the new ones are complete and checked. Started again it goes on where it was.',
      )
      .addOption(new Option('--provider <name>', 'bundled, huggingface, ollama or openai'))
      .addOption(new Option('--model <text>', "model of the provider (default: the provider's own)"))
      .addOption(new Option('--base-url <text>', 'address of the provider'))
      .addOption(new Option('--batch-size <n>', 'texts of one request to the model (default: 20)'))
      .addOption(new Option('--dry-run', 'say how long and how much disk it takes, and change nothing'))
      .addOption(new Option('--no-wait', 'begin, and do not watch it to its end')),
  );
  command.action(async () => {
    const session = deps.openSession(command);
    const flags = command.opts<Flags>();
    const input = inputOf(flags);
    const connection = await session.connection();
    const begun = (await connection.call(reEmbed.name, input)) as Status;
    const isWatched = flags.dryRun !== true && flags.wait;
    const output = isWatched ? { ...begun, ...(await watch(begun, session)) } : begun;
    session.print(output, () => renderOutput(reEmbed.name, output, session.view(input)));
    if (output.state === 'failed') throw new LociError('conflict', output.why ?? 'The new vectors were not used.');
  });
  mount('re-embed', command);
}

function inputOf({ provider, model, baseUrl, batchSize, dryRun }: Flags): Record<string, unknown> {
  const given = { provider, model, base_url: baseUrl, batch_size: batchSize };
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(entries), dry_run: dryRun === true };
}

/** Asks again and again until it has ended; a line on stderr for each change on a terminal, one in ten seconds elsewhere. */
async function watch(begun: Status, session: Session): Promise<Status> {
  const connection = await session.connection();
  const isTerminal = session.io.stderr.isTTY === true;
  let status = begun;
  let saidAtMs = session.io.nowMs();
  const settled = whenInterrupted(() => {
    if (isTerminal) session.io.stderr.write('\r\u001B[2K');
    session.notice('The daemon goes on with it. `loci re-embed` again watches it to its end.');
  });
  while (status.state === 'running' || status.state === 'waiting') {
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    status = (await connection.call(getReEmbedding.name, {})) as Status;
    const line = `${status.done} of ${status.things} embedded${status.why === null ? '' : `; waiting: ${status.why}`}`;
    if (isTerminal && session.options.quiet !== true) session.io.stderr.write(`\r\u001B[2K${line}`);
    else if (session.io.nowMs() - saidAtMs >= 10_000) {
      session.notice(line);
      saidAtMs = session.io.nowMs();
    }
  }
  settled();
  if (isTerminal && session.options.quiet !== true) session.io.stderr.write('\r\u001B[2K');
  return status;
}
