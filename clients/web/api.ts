// The page speaks to the same operations as everybody else. Each call carries the key of this session, which the browser keeps for
// this origin alone: the cookie that goes along by itself opens nothing without it (see daemon/page).
import type { Contract, InputOf, OutputOf } from '#shared/contract/operation.ts';

const keyName = 'loci-page-key';

/** How the log of changes calls the page. */
export const agentName = 'page';

/** A refusal of the daemon, in its words. */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number;
  constructor(code: string, status: number, message: string) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

export type PageState = {
  readonly version: string;
  readonly transport: 'socket' | 'tcp';
  readonly scopes: readonly string[];
  readonly operations: readonly string[];
};

/** Trades the code of `loci ui` for a session. Throws the daemon's refusal. */
export async function signIn(code: string): Promise<void> {
  const { key } = (await send('POST', '/page/session', { code })) as { key: string };
  localStorage.setItem(keyName, key);
}

/** Whether a session was opened here once; it may have ended. */
export function hasKey(): boolean {
  return localStorage.getItem(keyName) !== null;
}

/** Who looks and what there is; throws `unauthorized` without a session. */
export async function readState(): Promise<PageState> {
  return (await send('GET', '/page/session')) as PageState;
}

export async function signOut(): Promise<void> {
  await send('DELETE', '/page/session');
  localStorage.removeItem(keyName);
}

/** Calls an operation. Throws `ApiError`; `signal` gives it up. */
export async function call<C extends Contract>(
  name: C['name'],
  input: InputOf<C>,
  signal?: AbortSignal,
): Promise<OutputOf<C>> {
  return (await send('POST', `/operations/${name}`, input, signal)) as OutputOf<C>;
}

/** The stream of what happens, from the event after `lastId` on. */
export function openEvents(lastId: string | null, signal: AbortSignal): Promise<Response> {
  const resume = lastId === null ? {} : { 'last-event-id': lastId };
  return fetch('/events', { headers: { ...headers(), ...resume }, signal, cache: 'no-store' });
}

async function send(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<unknown> {
  const reply = await fetch(path, {
    method,
    headers: {
      ...headers(),
      ...(body === undefined ? {} : { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw new ApiError('unreachable', 0, 'The daemon does not answer. Run `loci status`, then try again.');
  });
  const answer = (await reply.json().catch(() => null)) as { code?: string; message?: string } | null;
  if (reply.ok) return answer;
  throw new ApiError(
    answer?.code ?? 'internal',
    reply.status,
    answer?.message ?? `The daemon answered ${reply.status}.`,
  );
}

function headers(): Record<string, string> {
  return { 'loci-page': localStorage.getItem(keyName) ?? '', 'loci-agent': agentName };
}
