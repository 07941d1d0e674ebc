// ONE table of cases against every surface: the same steps through REST, MCP and CLI must give the same JSON and the same refusals.
// A case is a list of steps; each surface walks it on a store of its own, freshly opened, so that ids and outcomes are alike.
// What may differ by nature (durations, uids, process ids) is masked before answers are compared with each other.
import { expect, it } from 'vitest';
import { exitCodeOf } from '#clients/cli/exit-codes.ts';
import type { Contract, HttpRoute } from '#shared/contract/operation.ts';
import { type ErrorCode, LociError, problemToError } from '#shared/errors.ts';
import { type Reply, sendTo } from './http-surface.ts';
import { onPostgres } from './storage-under-test.ts';

export type SurfaceName = 'rest' | 'rest by name' | 'mcp' | 'cli';

export type Answer =
  | { readonly ok: true; readonly output: unknown }
  | {
      readonly ok: false;
      readonly message: string;
      /** What the CLI exits with; the other surfaces derive it from the code. */
      readonly exitCode: number;
      /** Null on a surface that does not carry it (the CLI). */
      readonly code: ErrorCode | null;
      readonly details: Readonly<Record<string, unknown>> | null;
    };

export type Input = Readonly<Record<string, unknown>>;

/** One way to reach one store. */
export type Surface = {
  readonly name: SurfaceName;
  call(operation: string, input: Input): Promise<Answer>;
};

/** Opens a surface over a new, empty store that lives until the test ends. */
export type OpenSurface = () => Promise<Surface>;

export type Step = {
  readonly operation: string;
  /** Made from the outputs of the earlier steps when it needs their ids. */
  readonly input: Input | ((earlier: readonly unknown[]) => Input);
  /** What the output must match (asymmetric matchers allowed), or how the call is refused. */
  readonly gives:
    | { readonly output: unknown }
    | { readonly refused: ErrorCode; readonly field?: string; readonly says?: string | RegExp };
};

export type SurfaceCase = {
  /** A sentence about behaviour; a case of the public reports begins with its number. */
  readonly name: string;
  readonly steps: readonly Step[];
  /** Surfaces that cannot express the case (a flag is never null), with the reason. */
  readonly except?: Partial<Record<SurfaceName, string>>;
  /** Fields that differ between two stores besides those that always may. */
  readonly volatile?: readonly string[];
};

/** Declares one test a case; it fails where a surface breaks the expectation, and where two surfaces disagree. */
export function testOnEverySurface(
  cases: readonly SurfaceCase[],
  surfaces: Partial<Record<SurfaceName, OpenSurface>>,
): void {
  for (const { name, steps, except = {}, volatile = [] } of cases) {
    it(name, async () => {
      const walks = new Map<string, readonly Answer[]>();
      const able = Object.entries(surfaces).filter(([surface]) => except[surface as SurfaceName] === undefined);
      // the surfaces know nothing of the engine: one of them is enough to see what another engine does
      for (const [surface, open] of onPostgres ? able.slice(0, 1) : able) {
        walks.set(surface, await walk(await open(), steps));
      }
      const [first, ...others] = walks;
      expect(first, 'a case needs at least one surface').toBeDefined();
      if (first === undefined) return;
      for (const other of others) expectAgreement(first, other, steps, new Set([...alwaysVolatile, ...volatile]));
    });
  }
}

async function walk(surface: Surface, steps: readonly Step[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const [index, { operation, input, gives }] of steps.entries()) {
    const earlier = answers.map((answer) => (answer.ok ? answer.output : null));
    const answer = await surface.call(operation, typeof input === 'function' ? input(earlier) : input);
    const where = `${surface.name}, step ${index + 1}: ${operation}`;
    if ('output' in gives) expect(answer, where).toEqual({ ok: true, output: gives.output });
    else expectRefusal(answer, gives, where);
    answers.push(answer);
  }
  return answers;
}

function expectRefusal(answer: Answer, wanted: Extract<Step['gives'], { refused: ErrorCode }>, where: string): void {
  if (answer.ok) throw new Error(`${where} was not refused: ${JSON.stringify(answer.output)}`);
  expect(answer.exitCode, where).toBe(exitCodeOf(new LociError(wanted.refused, '')));
  if (answer.code !== null) expect(answer.code, where).toBe(wanted.refused);
  if (wanted.field !== undefined && answer.details !== null)
    expect(answer.details, where).toHaveProperty([wanted.field]);
  if (wanted.says !== undefined) expect(answer.message, where).toMatch(wanted.says);
}

function expectAgreement(
  [oneName, one]: readonly [string, readonly Answer[]],
  [otherName, other]: readonly [string, readonly Answer[]],
  steps: readonly Step[],
  volatile: ReadonlySet<string>,
): void {
  for (const [index, { operation }] of steps.entries()) {
    const [left, right] = [one[index], other[index]];
    if (left === undefined || right === undefined) continue;
    const where = `${oneName} and ${otherName} disagree in step ${index + 1}: ${operation}`;
    if (!left.ok && !right.ok && (left.code === null || right.code === null)) {
      expect([right.exitCode, right.message], where).toEqual([left.exitCode, left.message]);
    } else {
      expect(masked(right, volatile), where).toEqual(masked(left, volatile));
    }
  }
}

const alwaysVolatile: ReadonlySet<string> = new Set([
  'took_ms',
  'duration_ms',
  'uid',
  'uptime_s',
  'pid',
  'log_id',
  'agent',
  'actor_id',
  'session',
  'bytes',
  // counted after the answer, in batches: whether a batch has been written yet is a matter of time
  'access_count',
  'last_accessed_at',
]);

/** The answer with what differs by nature taken out, at any depth. */
function masked(value: unknown, volatile: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((member) => masked(member, volatile));
  // the frame of recalled memories is another in each call
  if (typeof value === 'string') return value.replace(/loci-memory-[a-p]+/g, 'loci-memory');
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, volatile.has(key) ? 'masked' : masked(member, volatile)]),
  );
}

/** REST over a Unix socket: by the contract's own route where it has one. */
export function createRestSurface(socketPath: string, contracts: readonly Contract[]): Surface {
  const byName = new Map(contracts.map((contract) => [contract.name, contract]));
  return {
    name: 'rest',
    async call(operation, input) {
      const route = byName.get(operation)?.http?.[0];
      if (route === undefined || !fitsRoute(route, input)) return callByName(socketPath, operation, input);
      const { path, rest } = fillPath(route.path, input);
      if (route.method !== 'GET' && route.method !== 'DELETE') {
        return replyToAnswer(await sendTo({ socketPath }, { method: route.method, path, body: rest }));
      }
      const query = inputToQuery(rest, route);
      return replyToAnswer(
        await sendTo({ socketPath }, { method: route.method, path: query === '' ? path : `${path}?${query}` }),
      );
    },
  };
}

/** REST by `POST /operations/:name`, which every operation has. */
export function createNamedRestSurface(socketPath: string): Surface {
  return { name: 'rest by name', call: (operation, input) => callByName(socketPath, operation, input) };
}

async function callByName(socketPath: string, operation: string, input: Input): Promise<Answer> {
  const path = `/operations/${encodeURIComponent(operation)}`;
  return replyToAnswer(await sendTo({ socketPath }, { method: 'POST', path, body: input }));
}

/** A query cannot hold null, an object or an empty list, and a path needs its parameters: then the call goes by name. */
function fitsRoute(route: HttpRoute, input: Input): boolean {
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map((match) => String(match[1]));
  if (inPath.some((name) => !['string', 'number'].includes(typeof input[name]) || input[name] === '')) return false;
  if (route.method !== 'GET' && route.method !== 'DELETE') return true;
  return Object.values(input).every((value) => {
    const members = Array.isArray(value) ? value : [value];
    return members.length > 0 && members.every((member) => typeof member !== 'object' || member === undefined);
  });
}

function fillPath(pattern: string, input: Input): { path: string; rest: Input } {
  const rest: Record<string, unknown> = { ...input };
  const path = pattern.replace(/:(\w+)/g, (_whole, name: string) => {
    const value = String(rest[name]);
    delete rest[name];
    return encodeURIComponent(value);
  });
  return { path, rest };
}

function inputToQuery(input: Input, route: HttpRoute): string {
  const aliases = new Map(Object.entries(route.aliases ?? {}).map(([alias, field]) => [field, alias]));
  const pairs = Object.entries(input).flatMap(([field, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((member) => member !== undefined)
      .map((member) => [aliases.get(field) ?? field, String(member)]),
  );
  const chosen = Object.entries(route.when ?? {});
  return new URLSearchParams([...pairs, ...chosen] as [string, string][]).toString();
}

function replyToAnswer({ status, json }: Reply): Answer {
  if (status < 400) return { ok: true, output: json };
  return errorToAnswer(problemToError(json));
}

/** What a surface that carries the whole problem answers for it. */
export function errorToAnswer(error: LociError): Answer {
  const { code, message, details } = error;
  return { ok: false, code, message, details, exitCode: exitCodeOf(error) };
}
