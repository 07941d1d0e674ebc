// OpenAPI 3.1 from the registry: the same schemas that `invoke` parses by, so that the description cannot drift from the behaviour.
import { z } from 'zod';
import { inputSchemaOf, type JsonSchema } from '#daemon/kernel/input-schema.ts';
import type { Contract } from '#shared/contract/operation.ts';
import { errorCodes } from '#shared/errors.ts';
import { type RouteGroup, routeGroups, type Variant } from './operations.ts';

type Node = Record<string, unknown>;

export function createOpenApi(contracts: readonly Contract[], version: string): Node {
  const paths: Record<string, Node> = {};
  const usedIds = new Set<string>();
  for (const group of routeGroups(contracts)) {
    const path = group.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [group.method.toLowerCase()]: routeOperation(group, usedIds) };
  }
  for (const contract of contracts) paths[`/operations/${contract.name}`] = { post: directOperation(contract) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Loci',
      version,
      summary: 'Long-term memory for coding agents.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    paths: { ...rawPaths(), ...paths },
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Problem: problemSchema, ...Object.fromEntries(contracts.flatMap(schemasOf)) },
      responses: { Problem: problemResponse },
    },
  };
}

function routeOperation(group: RouteGroup, usedIds: Set<string>): Node {
  const main = group.variants.find(({ route }) => route.when === undefined) ?? (group.variants[0] as Variant);
  const { contract, route } = main;
  const inPath = [...group.path.matchAll(/:(\w+)/g)].map((match) => String(match[1]));
  const schema = inputSchemaOf(contract.input);
  const others = group.variants.filter((variant) => variant !== main);
  const rest = Object.entries(schema.properties ?? {}).filter(([name]) => !inPath.includes(name));
  const isGet = group.method === 'GET' || group.method === 'DELETE';
  const parameters = [
    ...inPath.map((name) => ({
      name,
      in: 'path',
      required: true,
      schema: schema.properties?.[name] ?? { type: 'string' },
    })),
    ...(isGet ? rest.map(([name, field]) => queryParameter(name, field, main, schema)) : []),
    ...others.flatMap(whenParameters),
    ...(contract.hints.readOnly ? [] : [idempotencyHeader]),
  ];
  return {
    operationId: uniqueId(contract.name, group.method, usedIds),
    summary: contract.title,
    description: contract.description,
    tags: [contract.category],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(isGet ? {} : { requestBody: jsonBody(bodySchema(schema, inPath, contract)) }),
    responses: responses([main, ...others], route.created !== undefined),
  };
}

function directOperation(contract: Contract): Node {
  return {
    operationId: `call_${contract.name}`,
    summary: contract.title,
    description: contract.description,
    tags: [contract.category],
    ...(contract.hints.readOnly ? {} : { parameters: [idempotencyHeader] }),
    requestBody: jsonBody({ $ref: `#/components/schemas/${contract.name}_input` }),
    responses: responses([{ contract, route: { method: 'POST', path: '' } }], isCreated(contract)),
  };
}

function queryParameter(name: string, field: JsonSchema, { route }: Variant, schema: JsonSchema): Node {
  const alias = Object.entries(route.aliases ?? {}).find(([, target]) => target === name)?.[0];
  const { description, ...rest } = field;
  return {
    name: alias ?? name,
    in: 'query',
    required: schema.required?.includes(name) ?? false,
    ...(description === undefined ? {} : { description }),
    ...(route.csv?.includes(name) === true ? { explode: false } : {}),
    schema: rest,
  };
}

function whenParameters({ contract, route }: Variant): Node[] {
  return Object.entries(route.when ?? {}).map(([name, value]) => ({
    name,
    in: 'query',
    required: false,
    description: `${value}: ${contract.name} instead. ${contract.description}`,
    schema: { type: 'string', enum: [value, 'false'] },
  }));
}

const idempotencyHeader = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The same key within 24 hours gives the first answer again instead of a second change.',
  schema: { type: 'string', maxLength: 200 },
} as const;

/** The whole input is referred to by name; one whose path holds some of its fields is written out without them. */
function bodySchema(schema: JsonSchema, inPath: readonly string[], contract: Contract): Node {
  if (inPath.length === 0) return { $ref: `#/components/schemas/${contract.name}_input` };
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => !inPath.includes(name));
  const required = (schema.required ?? []).filter((name) => !inPath.includes(name));
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

function jsonBody(schema: Node): Node {
  return { required: false, content: { 'application/json': { schema } } };
}

function responses(variants: readonly Variant[], created: boolean): Node {
  const schemas = variants.map(({ contract }) => ({ $ref: `#/components/schemas/${contract.name}_output` }));
  const content = { 'application/json': { schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas } } };
  return {
    200: { description: 'Done.', content },
    ...(created ? { 201: { description: 'Created.', content } } : {}),
    default: { $ref: '#/components/responses/Problem' },
  };
}

function schemasOf(contract: Contract): [string, unknown][] {
  const { $schema: _, ...output } = z.toJSONSchema(contract.output, { io: 'output' });
  return [
    [`${contract.name}_input`, inputSchemaOf(contract.input)],
    [`${contract.name}_output`, output],
  ];
}

function isCreated(contract: Contract): boolean {
  return contract.http?.some((route) => route.created !== undefined) ?? false;
}

function uniqueId(name: string, method: string, used: Set<string>): string {
  let id = used.has(name) ? `${name}_${method.toLowerCase()}` : name;
  for (let number = 2; used.has(id); number += 1) id = `${name}_${method.toLowerCase()}_${number}`;
  used.add(id);
  return id;
}

const problemSchema = {
  type: 'object',
  required: ['code', 'message', 'details', 'status'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', enum: errorCodes },
    message: { type: 'string', description: 'One sentence that says what to change.' },
    details: { type: 'object', description: 'The problem of each field, by its path.' },
  },
} as const;

const problemResponse = {
  description: 'Refused or failed.',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
} as const;

/** The hand-written routes that a program may want. */
function rawPaths(): Record<string, Node> {
  const json = (description: string, schema: Node): Node => ({
    200: { description, content: { 'application/json': { schema } } },
    default: { $ref: '#/components/responses/Problem' },
  });
  const text = (description: string, type: string): Node => ({
    200: { description, content: { [type]: { schema: { type: 'string' } } } },
    default: { $ref: '#/components/responses/Problem' },
  });
  const word = {
    type: 'object',
    properties: { status: { enum: ['ok', 'degraded', 'starting'] } },
    required: ['status'],
  };
  const card = {
    type: 'object',
    properties: {
      pid: { type: 'integer' },
      version: { type: 'string' },
      started_at: { type: 'string', format: 'date-time' },
    },
  };
  return {
    '/health': {
      get: {
        operationId: 'health',
        summary: 'One word of health, open to everyone',
        security: [],
        responses: {
          ...json('Serving.', word),
          503: { description: 'Starting.', content: { 'application/json': { schema: word } } },
        },
      },
    },
    '/daemon': { get: { operationId: 'daemon', summary: 'Which daemon this is', responses: json('Its card.', card) } },
    '/metrics': {
      get: {
        operationId: 'metrics',
        summary: 'Counters in the text format of Prometheus',
        responses: text('Counters.', 'text/plain'),
      },
    },
    '/memories/instructions': {
      get: {
        operationId: 'instructions',
        summary: 'What an agent without MCP should do',
        responses: text('Markdown.', 'text/markdown'),
      },
    },
  };
}
