// Every operation of all three vocabularies behind three tools, so that a session pays for three descriptions instead of a hundred.
// Discovery is kept below 6,000 characters whatever is added: the words beside the names give way, never a name.

import type { z } from 'zod';
import { alternativesOf, inputSchemaOf, type JsonSchema } from '#daemon/kernel/input-schema.ts';
import { isRecord } from '#daemon/kernel/is-record.ts';
import { readArguments } from '#daemon/kernel/read-arguments.ts';
import { issuesToError } from '#daemon/kernel/refusals.ts';
import { isAllowed } from '#daemon/kernel/scopes.ts';
import type { Category, Contract } from '#shared/contract/operation.ts';
import { LociError } from '#shared/errors.ts';
import { exampleInput, exampleValue } from './example-input.ts';
import { discoverInput, executeInput, howToUseInput } from './meta-tool-contracts.ts';

export type MetaToolDeps = { readonly contracts: readonly Contract[]; readonly scopes: readonly string[] };

/** What `execute_tool` is asked to run. */
export type Execution = { readonly tool: string; readonly arguments: unknown };

const maxDiscoveryChars = 6_000;
/** A category that the older catalogue names though it holds nothing. */
const emptyCategory = 'linking';

/** Names with a few words by category; with `detail` the whole entries. Throws `invalid_input` for a category that does not exist. */
export function discoverTools(deps: MetaToolDeps, raw: unknown): Record<string, unknown> {
  const { category, detail } = parse(discoverInput, raw);
  const wanted = category?.trim().toLowerCase() || null;
  const known = [...new Set(deps.contracts.map(({ category: its }) => its))];
  const available = known.filter((name) => name !== 'admin');
  if (wanted !== null && wanted !== emptyCategory && !known.some((name) => name === wanted)) {
    throw new LociError(
      'invalid_input',
      `Invalid category '${wanted}'. Available categories: ${available.join(', ')}.`,
      { category: `must be one of ${available.join(', ')}` },
    );
  }
  const shown = allowedContracts(deps).filter(({ category: its }) =>
    wanted === null ? its !== 'admin' : its === wanted,
  );
  const answer = (byCategory: unknown) => ({
    tools_by_category: byCategory,
    total_count: shown.length,
    categories_available: available,
    filtered_by: wanted,
  });
  if (detail === true) return answer(grouped(shown, (contracts) => contracts.map(detailOf)));
  for (const words of [4, 3, 2, 1]) {
    const short = answer(
      grouped(shown, (contracts) =>
        Object.fromEntries(contracts.map((one) => [one.name, firstWords(one.title, words)])),
      ),
    );
    if (JSON.stringify(short).length <= maxDiscoveryChars) return short;
  }
  return answer(grouped(shown, (contracts) => Object.fromEntries(contracts.map(({ name }) => [name, '']))));
}

/** All that is needed to call one tool. Throws `not_found`, or `forbidden` when the caller's scopes do not cover it. */
export function howToUseTool(deps: MetaToolDeps, raw: unknown): Record<string, unknown> {
  const { tool_name: name } = parse(howToUseInput, raw);
  const contract = deps.contracts.find((known) => known.name === name.trim());
  if (contract === undefined) throw unknownTool(deps, name);
  if (!isAllowed(deps.scopes, contract.scope)) {
    throw new LociError(
      'forbidden',
      `Tool '${name}' is not permitted under current scopes. Required scope: '${contract.scope}'.`,
    );
  }
  const schema = inputSchemaOf(contract.input);
  return {
    name: contract.name,
    category: contract.category,
    description: contract.description,
    mutates: !contract.hints.readOnly,
    parameters: parametersOf(schema),
    returns: returnsOf(contract),
    examples: examplesOf(contract),
    tags: [contract.category, contract.hints.readOnly ? 'read' : 'write'],
    json_schema: {
      type: 'object',
      properties: schema.properties ?? {},
      required: schema.required ?? [],
      additionalProperties: false,
    },
  };
}

/** Reads what `execute_tool` got: models leave `arguments` out, or send them as a text of JSON. What is in them is read once, by the tool's own contract. */
export function readExecution(raw: unknown): Execution {
  const inner = isRecord(raw) ? raw.arguments : undefined;
  const isObject = isRecord(inner);
  const parsed = parse(executeInput, isObject ? { ...(raw as object), arguments: {} } : raw);
  return { tool: parsed.tool_name.trim(), arguments: isObject ? inner : (parsed.arguments ?? {}) };
}

function parse<Schema extends z.ZodObject>(schema: Schema, raw: unknown): z.output<Schema> {
  const read = readArguments(schema, raw, { nullIsAbsent: true });
  const result = schema.safeParse(read);
  if (!result.success) throw issuesToError(result.error.issues, schema, read);
  return result.data;
}

function allowedContracts({ contracts, scopes }: MetaToolDeps): Contract[] {
  return contracts.filter(({ scope }) => isAllowed(scopes, scope));
}

function unknownTool(deps: MetaToolDeps, name: string): LociError {
  const first = allowedContracts(deps)
    .slice(0, 10)
    .map((contract) => contract.name);
  return new LociError(
    'not_found',
    `Tool '${name}' not found in registry. Available tools (first 10): ${first.join(', ')}.`,
  );
}

function grouped<T>(contracts: readonly Contract[], toEntry: (contracts: readonly Contract[]) => T): Record<string, T> {
  const categories = [...new Set<Category>(contracts.map(({ category }) => category))];
  return Object.fromEntries(
    categories.map((category) => [category, toEntry(contracts.filter((contract) => contract.category === category))]),
  );
}

function firstWords(title: string, words: number): string {
  return title.split(' ').slice(0, words).join(' ');
}

function detailOf(contract: Contract): Record<string, unknown> {
  const parameters = parametersOf(inputSchemaOf(contract.input));
  return {
    name: contract.name,
    category: contract.category,
    description: contract.description,
    mutates: !contract.hints.readOnly,
    parameters: Object.fromEntries(parameters.map(({ name, default: _, ...parameter }) => [name, parameter])),
    returns: returnsOf(contract),
    example: examplesOf(contract)[0],
  };
}

function parametersOf(schema: JsonSchema) {
  return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    type: typeName(property),
    description: property.description ?? name.replaceAll('_', ' '),
    required: schema.required?.includes(name) === true,
    default: property.default ?? null,
    example: exampleValue(name, property),
  }));
}

/** `string`, `integer[]`, `string | null`. */
function typeName(schema: JsonSchema): string {
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 0) return alternatives.map(typeName).join(' | ');
  if (schema.type === 'array') return `${typeName(schema.items ?? {})}[]`;
  return [schema.type ?? 'any'].flat().join(' | ');
}

function returnsOf(contract: Contract): string {
  const fields = Object.keys((contract.output as { shape?: object }).shape ?? {});
  return fields.length === 0 ? 'a JSON object' : `a JSON object with ${fields.join(', ')}`;
}

function examplesOf(contract: Contract): Record<string, unknown>[] {
  const given = contract.examples ?? [exampleInput(inputSchemaOf(contract.input))];
  return given.map((input) => ({ tool_name: contract.name, arguments: input }));
}
