import { Argument, Command } from 'commander';
import { contractByName, contracts } from '#shared/contract/index.ts';
import { LociError } from '#shared/errors.ts';
import { offerValues } from '../completion/offered-values.ts';
import { confirm } from '../confirm.ts';
import type { CommandDeps } from '../derive-command.ts';
import { addGlobalOptions } from '../global-options.ts';
import type { Mount } from '../mount.ts';
import { renderOutput } from '../render/renderers.ts';
import type { Session } from '../session.ts';

/** `loci call OPERATION --args JSON`: any operation with its own input, for scripts and for what has no command of its own. */
export function addCallCommand(mount: Mount, deps: CommandDeps): void {
  const command = addGlobalOptions(
    new Command('call')
      .summary('call any operation with JSON')
      .description('Call an operation with the JSON that it takes over HTTP and MCP. `loci tools list` names them.')
      .addArgument(
        offerValues(
          new Argument('<operation>', 'name of the operation'),
          contracts.map(({ name }) => name),
        ),
      )
      .option('--args <json>', 'a JSON object; `-` reads it from stdin', '{}')
      .option('--yes', 'do not ask before something is erased'),
  );
  command.action(async (operation: string, flags: { args: string; yes?: boolean }) => {
    const session = deps.openSession(command);
    const contract = contractByName(operation);
    const input = parseObject(flags.args === '-' ? await session.stdinText() : flags.args);
    const question = contract?.cli?.confirm;
    if (question !== undefined) await confirm(session, `${question}: ${JSON.stringify(input)}`, flags.yes === true);
    const output = await callKnown(session, operation, input);
    session.print(output, () => renderOutput(operation, output, session.view(input)));
  });
  mount('call', command);
}

/** The daemon knows best which operations exist: it may be newer than this client. */
async function callKnown(session: Session, operation: string, input: Record<string, unknown>): Promise<unknown> {
  if (!/^[a-z0-9_]{1,100}$/.test(operation)) {
    throw new LociError(
      'not_found',
      `There is no operation named so; names look like \`${contracts[0]?.name ?? ''}\`, and \`loci tools list\` lists them.`,
    );
  }
  return (await session.connection()).call(operation, input);
}

function parseObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new LociError('invalid_input', '--args is not JSON: write an object such as \'{"query": "…"}\'.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new LociError('invalid_input', '--args must be a JSON object of named fields.');
  }
  return value as Record<string, unknown>;
}
