// REST is a loop over the registry: every route that a contract declares, and `POST /operations/:name` for every operation.
// Path, query and body are only gathered here; what they mean is for `invoke`, the same door that MCP and the CLI go through.
import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import { takesList } from '#daemon/kernel/input-schema.ts';
import { unknownOperation } from '#daemon/kernel/invoke.ts';
import type { Contract, HttpMethod, HttpRoute } from '#shared/contract/operation.ts';
import { invalidField, LociError } from '#shared/errors.ts';
import { requestToContext } from './call-context.ts';
import type { HttpApp, HttpDeps, HttpEnv } from './http-deps.ts';
import { defaultBodyLimitBytes, readJsonBody } from './read-body.ts';
import { type Query, queryToFields, readQuery } from './read-query.ts';
import { waitUntilReady } from './ready.ts';

/** One contract as a route answers it; several share a method and path when query parameters (`when`) tell them apart. */
export type Variant = { readonly contract: Contract; readonly route: HttpRoute };

export type RouteGroup = { readonly method: HttpMethod; readonly path: string; readonly variants: readonly Variant[] };

export function mountOperations(app: HttpApp, deps: HttpDeps): void {
  const contractsByName = new Map(deps.contracts.map((contract) => [contract.name, contract]));
  for (const { method, path, variants } of routeGroups(deps.contracts)) {
    app.on(method, path, (c) => {
      const query = readQuery(c.req.url);
      const { chosen, rest } = chooseVariant(variants, query);
      return answer(c, chosen, rest, deps);
    });
  }
  app.post('/operations/:name', (c) => {
    const name = c.req.param('name');
    const contract = contractsByName.get(name);
    if (contract === undefined) throw unknownOperation(name, [...contractsByName.keys()]);
    const created = contract.http?.find((route) => route.created !== undefined)?.created;
    const route: HttpRoute = {
      method: 'POST',
      path: '/operations',
      ...(created === undefined ? {} : { created }),
    };
    return answer(c, { contract, route }, readQuery(c.req.url), deps);
  });
}

/** All declared routes, those with fixed segments before those with parameters, so that `/memories/stats` is no id. */
export function routeGroups(contracts: readonly Contract[]): RouteGroup[] {
  const groups = new Map<string, { method: HttpMethod; path: string; variants: Variant[] }>();
  for (const contract of contracts) {
    for (const route of contract.http ?? []) {
      const key = `${route.method} ${route.path}`;
      const group = groups.get(key) ?? { method: route.method, path: route.path, variants: [] };
      group.variants.push({ contract, route });
      groups.set(key, group);
    }
  }
  return [...groups.values()].sort((a, b) => comparePaths(a.path, b.path));
}

async function answer(c: Context<HttpEnv>, variant: Variant, query: Query, deps: HttpDeps): Promise<Response> {
  const { contract, route } = variant;
  const context = requestToContext(c);
  const body =
    route.method === 'GET'
      ? {}
      : await readJsonBody(c.env.incoming, c.env.transport, contract.bodyLimitBytes ?? defaultBodyLimitBytes);
  const isList = (field: string): boolean => takesList(contract.input, field);
  const path = route.path === '/operations' ? {} : (c.req.param() as Record<string, string>);
  const input = { ...route.defaults, ...gather(path, queryToFields(query, route, isList), body) };
  await waitUntilReady(deps, contract);
  const output = await deps.invoke(contract.name, input, context);
  return sendJson(c.env.outgoing, output, route.created?.(output) === true ? 201 : 200);
}

/** Past the Response object, whose body would be copied through a stream: a third of what HTTP costs a search. */
function sendJson(outgoing: ServerResponse, output: unknown, status: number): Response {
  outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(output));
  return RESPONSE_ALREADY_SENT;
}

/** One object of fields; a field that comes from two places must not differ, or one of them would be ignored. */
function gather(
  path: Readonly<Record<string, string>>,
  query: ReadonlyMap<string, unknown>,
  body: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const fields = new Map<string, unknown>(Object.entries(body));
  for (const [field, value] of query) {
    if (fields.has(field))
      throw invalidField(field, `\`${field}\` is given in the query and in the body: give it once.`);
    fields.set(field, value);
  }
  for (const [field, value] of Object.entries(path)) {
    if (fields.has(field) && String(fields.get(field)) !== value) {
      throw invalidField(field, `\`${field}\` differs from the one in the path: leave it out.`);
    }
    fields.set(field, value);
  }
  return Object.fromEntries(fields);
}

/** The variant whose `when` holds, else the one without; parameters that only choose are taken out of the query. */
function chooseVariant(variants: readonly Variant[], query: Query): { chosen: Variant; rest: Query } {
  const rest = new Map(query);
  let chosen: Variant | undefined;
  for (const variant of variants) {
    for (const [name, wanted] of Object.entries(variant.route.when ?? {})) {
      const given = query.get(name);
      if (given === undefined) continue;
      if (given.length !== 1 || (given[0] !== wanted && given[0] !== 'false')) {
        throw invalidField(name, `\`${name}\` must be ${wanted} or false, given once.`);
      }
      rest.delete(name);
      if (given[0] === wanted) chosen = variant;
    }
  }
  chosen ??= variants.find(({ route }) => route.when === undefined);
  if (chosen === undefined)
    throw new LociError('not_found', 'This route needs a query parameter that says what to do.');
  return { chosen, rest };
}

function comparePaths(a: string, b: string): number {
  const left = a.split('/');
  const right = b.split('/');
  for (let index = 0; index < Math.min(left.length, right.length); index += 1) {
    const [one, two] = [left[index] ?? '', right[index] ?? ''];
    if (one.startsWith(':') !== two.startsWith(':')) return one.startsWith(':') ? 1 : -1;
    if (one !== two) return one < two ? -1 : 1;
  }
  return left.length - right.length;
}
