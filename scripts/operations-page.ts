// The page `docs/operations.md`, made from the contracts alone, so that it cannot say anything else than the program does.
import { z } from 'zod';
import { fieldWords } from '#clients/cli/field-words.ts';
import { fieldRow, inputFieldsOf } from '#clients/cli/input-fields.ts';
import { contracts } from '#shared/contract/index.ts';
import type { Contract } from '#shared/contract/operation.ts';

type JsonSchema = {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
};

const intro = `# Operations

Made from \`shared/contract/\` by \`npm run docs\`; edit the contracts, not this page.

Every operation answers at \`POST /operations/<name>\`, to \`loci call <name>\` and to the meta-tool \`execute_tool\`; many have a route
and a command of their own besides. Text is read as a number, a boolean or a list where the field asks for one.
`;

/** The whole page as Markdown, ending in a line break. */
export function operationsPage(): string {
  const categories = [...new Set(contracts.map((contract) => contract.category))];
  const sections = categories.map((category) => {
    const operations = contracts.filter((contract) => contract.category === category);
    return [`## ${category}`, ...operations.map(operationSection)].join('\n\n');
  });
  return `${[intro.trimEnd(), ...sections].join('\n\n')}\n`;
}

function operationSection(contract: Contract): string {
  const parts = [
    `### ${contract.name}`,
    `${contract.title}. ${contract.description}`,
    whereabouts(contract),
    inputTable(contract),
    `Answers \`${shapeOf(z.toJSONSchema(contract.output, { io: 'output' }) as JsonSchema, 2)}\``,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function whereabouts(contract: Contract): string {
  const routes = (contract.http ?? []).map(({ method, path, when }) => {
    const query = new URLSearchParams(when).toString();
    return `\`${method} ${path}${query === '' ? '' : `?${query}`}\``;
  });
  const { hints, cli } = contract;
  const effect = hints.readOnly ? 'reads' : hints.destructive ? 'erases' : 'changes';
  const command = cli === undefined ? [] : [`\`loci ${cli.command}\``];
  const again = hints.idempotent || hints.readOnly ? [] : ['not idempotent without a key'];
  return [...routes, ...command, effect, ...again, `scope \`${contract.scope}\``].join(' · ');
}

function inputTable(contract: Contract): string {
  const fields = inputFieldsOf(contract);
  if (fields.length === 0) return 'Takes nothing.';
  const rows = fields.map((field) => {
    const { means, takes } = fieldRow(field, fieldWords[field.name]);
    const many = field.kind === 'list' ? `list: ${takes}` : takes;
    const absent = field.isRequired ? 'required' : field.fallback === undefined ? '' : `\`${field.fallback}\``;
    return `| \`${field.name}\` | ${many} | ${absent} | ${means} |`;
  });
  return ['| field | takes | default | means |', '|---|---|---|---|', ...rows].join('\n');
}

/** A JSON Schema as one line of TypeScript's notation; objects below `depth` levels are shown as `{…}`. */
function shapeOf(schema: JsonSchema, depth: number): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf !== undefined) return schema.anyOf.map((option) => shapeOf(option, depth)).join(' | ');
  if (schema.items !== undefined) return listOf(shapeOf(schema.items, depth));
  if (schema.properties !== undefined) return objectOf(schema, depth);
  if (typeof schema.additionalProperties === 'object') return `{name: ${shapeOf(schema.additionalProperties, depth)}}`;
  return [schema.type ?? 'any'].flat().join(' | ');
}

function listOf(item: string): string {
  return item.includes(' | ') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
}

function objectOf(schema: JsonSchema, depth: number): string {
  if (depth === 0) return '{…}';
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => {
    const isOptional = schema.required?.includes(name) !== true;
    return `${name}${isOptional ? '?' : ''}: ${shapeOf(member, depth - 1)}`;
  });
  return `{${members.join(', ')}}`;
}
