// One operation, one declaration. REST, MCP, CLI, the typed client, OpenAPI and docs/operations.md are loops over these.
import type { z } from 'zod';
import type { ThingScope } from './scopes.ts';

export type HttpMethod = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** What a caller must be allowed to do: `read:memories`, `write:projects`; `admin` is for the whole store. */
export type Scope = `read:${ThingScope}` | `write:${ThingScope}` | 'admin';

/** The heading under which `discover_tools` lists an operation; `admin` is listed only when asked for. */
export type Category =
  | 'fact'
  | 'lifecycle'
  | 'user'
  | 'memory'
  | 'project'
  | 'code_artifact'
  | 'document'
  | 'file'
  | 'entity'
  | 'skill'
  | 'graph'
  | 'plan'
  | 'task'
  | 'activity'
  | 'admin';

export type HttpRoute = {
  readonly method: HttpMethod;
  /** Hono syntax; `:id` parameters are input fields of the same name. */
  readonly path: string;
  /** Query-string names that stand for another field: `{ q: 'query' }`. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Query parameters that commas may split. */
  readonly csv?: readonly string[];
  /** The route applies only when these query parameters have these values (`?purge=true`). */
  readonly when?: Readonly<Record<string, string>>;
  /** What fields are that the request leaves out, where the route has another custom than the operation. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** 201 instead of 200 for this output. */
  readonly created?: (output: unknown) => boolean;
};

export type CliVerb = {
  /** The words after `loci`: `fact save`. */
  readonly command: string;
  readonly alias?: string;
  /** Input fields taken by position, in order; a name that ends in `...` takes the rest as a list. */
  readonly positional?: readonly string[];
  /** Flag names that stand for a field: `{ concept: 'concepts' }`; every other field is a flag of its own name. */
  readonly flags?: Readonly<Record<string, string>>;
  /** Asks on a terminal and needs `--yes` without one. */
  readonly confirm?: string;
};

export type OperationHints = {
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly idempotent: boolean;
};

export type Contract<
  Name extends string = string,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
> = {
  readonly name: Name;
  readonly title: string;
  /** A directive to a model: when to call it, what to pass, what not to. At most 80 words. */
  readonly description: string;
  readonly category: Category;
  readonly input: Input;
  readonly output: Output;
  readonly hints: OperationHints;
  readonly scope: Scope;
  readonly http?: readonly HttpRoute[];
  readonly cli?: CliVerb;
  /** Inputs that a model may copy; one is made from the schema unless given. */
  readonly examples?: readonly Readonly<Record<string, unknown>>[];
  /** Largest request body in bytes; 16 MB unless given. */
  readonly bodyLimitBytes?: number;
  /** The answer holds something that may be told once and written down nowhere, so it is not kept under an idempotency key. */
  readonly answerIsSecret?: true;
};

/** What a caller sends: before defaults are filled in. */
export type InputOf<C extends Contract> = z.input<C['input']>;
/** What a handler receives: after parsing. */
export type ParsedInputOf<C extends Contract> = z.output<C['input']>;
/** What a caller gets. */
export type OutputOf<C extends Contract> = z.output<C['output']>;

/** Declares one operation; it only fixes the types, so a contract is plain data. */
export function defineContract<const Name extends string, Input extends z.ZodObject, Output extends z.ZodType>(
  contract: Contract<Name, Input, Output>,
): Contract<Name, Input, Output> {
  return contract;
}

export const readOnlyHints: OperationHints = { readOnly: true, destructive: false, idempotent: true };
export const additiveHints: OperationHints = { readOnly: false, destructive: false, idempotent: false };
export const updateHints: OperationHints = { readOnly: false, destructive: false, idempotent: true };
export const eraseHints: OperationHints = { readOnly: false, destructive: true, idempotent: true };
