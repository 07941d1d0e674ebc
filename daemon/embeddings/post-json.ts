// One POST of JSON, bounded in time, in tries and in the size of the answer. It tells what kind of failure it was and nothing of
// what the server said: an error text may quote our request, which carries a memory and, in a header, a key.

export type PostOptions = {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Bounds each try, the reading of the answer included. */
  readonly timeoutMs: number;
  /** Waits before each further try; their number bounds the tries. */
  readonly retryDelaysMs: readonly number[];
  readonly signal: AbortSignal;
};

export type PostFailure = 'unreachable' | 'slow' | 'unknown model' | 'refused' | 'busy' | 'failing' | 'bad answer';

export type PostResult = { readonly answer: unknown } | { readonly failure: PostFailure };

const largestAnswerBytes = 16 * 1024 * 1024;
const longestRetryAfterMs = 5_000;

/** Tries again after what may pass (no connection, too busy, server errors). Rejects only when `signal` aborts. */
export async function postJson(options: PostOptions): Promise<PostResult> {
  for (let attempt = 0; ; attempt += 1) {
    const { retryAfterMs, ...result } = await tryOnce(options);
    options.signal.throwIfAborted();
    const delayMs = options.retryDelaysMs[attempt];
    if (delayMs === undefined || !('failure' in result) || !mayPass(result.failure)) return result;
    await pause(Math.max(delayMs, retryAfterMs ?? 0), options.signal);
  }
}

type Attempt = PostResult & { readonly retryAfterMs?: number };

async function tryOnce({ url, headers, body, timeoutMs, signal }: PostOptions): Promise<Attempt> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      redirect: 'error', // a redirect would carry memories, and perhaps the key, to a host nobody chose
      signal: AbortSignal.any([signal, timeout]),
    });
    if (response.ok) return { answer: JSON.parse(await readBounded(response)) };
    await response.body?.cancel();
    return { failure: failureOf(response.status), retryAfterMs: retryAfterOf(response) };
  } catch (error) {
    if (timeout.aborted) return { failure: 'slow' };
    return { failure: error instanceof SyntaxError || error instanceof RangeError ? 'bad answer' : 'unreachable' };
  }
}

async function readBounded(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let sizeBytes = 0;
  for await (const piece of response.body ?? []) {
    sizeBytes += piece.byteLength;
    if (sizeBytes > largestAnswerBytes) throw new RangeError('answer too large');
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

function failureOf(status: number): PostFailure {
  if (status === 401 || status === 403) return 'refused';
  if (status === 404) return 'unknown model';
  if (status === 408 || status === 429) return 'busy';
  return status >= 500 ? 'failing' : 'bad answer';
}

function mayPass(failure: PostFailure): boolean {
  return failure === 'unreachable' || failure === 'busy' || failure === 'failing';
}

function retryAfterOf(response: Response): number {
  const seconds = Number(response.headers.get('retry-after') ?? 0);
  return Number.isFinite(seconds) ? Math.min(longestRetryAfterMs, Math.max(0, seconds * 1000)) : 0;
}

function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(over, delayMs);
    signal.addEventListener('abort', stop, { once: true });
    function over(): void {
      signal.removeEventListener('abort', stop);
      resolve();
    }
    function stop(): void {
      clearTimeout(timer);
      reject(signal.reason);
    }
  });
}
