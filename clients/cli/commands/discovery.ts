// Discovery without a daemon: the contracts are part of this program, so what an operation takes can be read while nothing runs.
import { Argument, Command } from 'commander';
import { z } from 'zod';
import { contractByName, contracts } from '#shared/contract/index.ts';
import type { Contract } from '#shared/contract/operation.ts';
import { LociError } from '#shared/errors.ts';
import { offerValues } from '../completion/offered-values.ts';
import type { CommandDeps } from '../derive-command.ts';
import { addGlobalOptions } from '../global-options.ts';
import { describeField, inputFieldsOf } from '../input-fields.ts';
import type { Mount } from '../mount.ts';
import { renderAnyShape } from '../render/any-shape.ts';
import { escapeLine } from '../render/escape.ts';
import type { Rendered } from '../render/rendered.ts';
import type { View } from '../render/style.ts';
import { pairs, table } from '../render/table.ts';

export function addToolsCommands(mount: Mount, deps: CommandDeps): void {
  mount('tools list', listCommand(deps));
  mount('tools info', infoCommand(deps));
}

function listCommand(deps: CommandDeps): Command {
  const command = addGlobalOptions(
    new Command('list')
      .summary('list the operations')
      .description('List the operations that REST, MCP and `loci call` offer, by category.')
      .option('--category <category>', 'only this category'),
  );
  command.action((flags: { category?: string }) => {
    const session = deps.openSession(command);
    const listed = discover(flags.category?.toLowerCase());
    session.print(listed, () => listText(listed, session.view()));
  });
  return command;
}

function infoCommand(deps: CommandDeps): Command {
  const command = addGlobalOptions(
    new Command('info')
      .summary('explain one operation')
      .description('Explain one operation: when to call it, what it takes, where it is.')
      .addArgument(
        offerValues(
          new Argument('<name>', 'name of the operation'),
          contracts.map(({ name }) => name),
        ),
      ),
  );
  command.action((name: string) => {
    const session = deps.openSession(command);
    const contract = contractByName(name);
    if (contract === undefined) {
      throw new LociError('not_found', `There is no operation \`${name}\`: \`loci tools list\` lists them.`);
    }
    session.print(infoOf(contract), () => infoText(contract, session.view()));
  });
  return command;
}

type Listed = {
  readonly tools_by_category: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly total_count: number;
  readonly categories_available: readonly string[];
  readonly filtered_by: string | null;
};

/** The shape of the meta-tool `discover_tools`. Operations on the whole store are listed only when their category is asked for. */
function discover(category: string | undefined): Listed {
  const available = [...new Set(contracts.map((contract) => contract.category))];
  if (category !== undefined && !available.some((known) => known === category)) {
    throw new LociError('invalid_input', `There is no category \`${category}\`: ${available.join(', ')}.`, {
      category: `must be one of ${available.join(', ')}`,
    });
  }
  const shown = contracts.filter((one) =>
    category === undefined ? one.category !== 'admin' : one.category === category,
  );
  const byCategory: Record<string, Record<string, string>> = {};
  for (const { category: group, name, title } of shown) {
    byCategory[group] = { ...byCategory[group], [name]: title };
  }
  return {
    tools_by_category: byCategory,
    total_count: shown.length,
    categories_available: available,
    filtered_by: category ?? null,
  };
}

function listText(listed: Listed, view: View): Rendered {
  const rows = Object.entries(listed.tools_by_category).flatMap(([category, tools]) =>
    Object.entries(tools).map(([name, title]) => [category, name, title]),
  );
  const columns = [
    { head: 'CATEGORY', paint: view.style.dim },
    { head: 'NAME', paint: view.style.cyan },
    { head: 'DOES' },
  ];
  return { result: table(columns, rows, view) };
}

function infoOf(contract: Contract): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(contract.input, { io: 'input' }) as Record<string, unknown>;
  return {
    name: contract.name,
    title: contract.title,
    category: contract.category,
    description: contract.description,
    mutates: !contract.hints.readOnly,
    scope: contract.scope,
    command: contract.cli === undefined ? null : `loci ${contract.cli.command}`,
    routes: routesOf(contract),
    json_schema: schema,
  };
}

function routesOf(contract: Contract): string[] {
  const own = (contract.http ?? []).map(({ method, path, when }) => {
    const query = new URLSearchParams(when).toString();
    return `${method} ${path}${query === '' ? '' : `?${query}`}`;
  });
  return [...own, `POST /operations/${contract.name}`];
}

function infoText(contract: Contract, view: View): Rendered {
  const { style } = view;
  const fields = inputFieldsOf(contract).map((field) => [
    field.name,
    field.kind,
    field.isRequired ? 'yes' : 'no',
    describeField(field),
  ]);
  const columns = [{ head: 'FIELD', paint: style.cyan }, { head: 'KIND' }, { head: 'REQUIRED' }, { head: 'MEANS' }];
  const { mutates, scope, command } = infoOf(contract);
  const facts = { category: contract.category, changes: mutates ? 'yes' : 'no', scope, command: command ?? 'none' };
  const parts = [
    `${style.bold(contract.name)}: ${escapeLine(contract.title)}`,
    contract.description,
    renderAnyShape(facts, view).result,
    pairs([['routes', routesOf(contract).join('\n')]], view),
    ...(fields.length === 0 ? [] : [table(columns, fields, view)]),
  ];
  return { result: parts.join('\n\n') };
}
