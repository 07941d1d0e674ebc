// A `/rerank` endpoint of the shape that Cohere, Jina and others share, or of Hugging Face's text-embeddings-inference, which calls the
// documents `texts` and answers a bare list. Which of the two it is, its first answer tells.
import { LociError } from '#shared/errors.ts';
import { createBackoff } from './backoff.ts';
import { isLoopback } from './base-url.ts';
import { type PostFailure, type PostResult, postJson } from './post-json.ts';
import type { Reranker, RerankerDeps } from './reranker.ts';

export type HttpRerankerOptions = {
  /** The endpoint, or the address below which `/rerank` is. */
  readonly url: string;
  readonly model: string | null;
  readonly key: string | null;
  /** Bounds each try. */
  readonly timeoutMs?: number;
};

type Shape = 'documents' | 'texts';

/** Throws `invalid_input` at once for an address that cannot be used. */
export function createHttpReranker(deps: RerankerDeps, options: HttpRerankerOptions): Reranker {
  const url = endpointOf(options.url);
  const headers: Record<string, string> = options.key === null ? {} : { authorization: `Bearer ${options.key}` };
  if (options.key !== null && url.protocol === 'http:' && !isLoopback(url)) {
    throw new LociError(
      'invalid_input',
      "'rerank.url' must begin with https:// unless the server is on this machine: the key would travel in the clear.",
    );
  }
  const closing = new AbortController();
  const backoff = createBackoff();
  let shape: Shape | null = null;

  return {
    async score(query, texts, signal) {
      if (backoff.remainingMs(deps.clock.now()) > 0) throw unavailable('failing');
      const stop = signal === undefined ? closing.signal : AbortSignal.any([closing.signal, signal]);
      let failure: PostFailure = 'bad answer';
      for (const candidate of shape === null ? (['documents', 'texts'] as const) : [shape]) {
        const result = await post(candidate, query, texts, stop);
        const scores = 'failure' in result ? null : scoresOf(result.answer, texts.length);
        if (scores !== null) {
          shape = candidate;
          backoff.succeeded();
          return scores;
        }
        failure = 'failure' in result ? result.failure : 'bad answer';
        if (failure !== 'bad answer') break;
      }
      if (failure !== 'bad answer') backoff.failed(deps.clock.now());
      deps.logger.warn({ failure }, 'reranking failed');
      throw unavailable(failure);
    },
    async close() {
      closing.abort();
    },
  };

  async function post(as: Shape, query: string, texts: readonly string[], signal: AbortSignal): Promise<PostResult> {
    const model = options.model === null ? {} : { model: options.model };
    const body = { ...model, query, [as]: texts, ...(as === 'documents' ? { top_n: texts.length } : {}) };
    const { timeoutMs = 5_000 } = options;
    try {
      return await postJson({ url, headers, body, timeoutMs, retryDelaysMs: [], signal });
    } catch {
      // it rejects for nothing but an abort
      throw closing.signal.aborted ? unavailable('unreachable') : signal.reason;
    }
  }

  function unavailable(failure: PostFailure): LociError {
    return new LociError(
      'unavailable',
      `The reranker ${url.host} ${said[failure]}: hits keep the order of the search.`,
    );
  }
}

const said: Readonly<Record<PostFailure, string>> = {
  unreachable: 'cannot be reached',
  slow: 'gave no answer in time',
  'unknown model': 'does not know the model or the path',
  refused: 'refused the key',
  busy: 'is too busy',
  failing: 'failed',
  'bad answer': 'gave no scores',
};

function endpointOf(text: string): URL {
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw new LociError('invalid_input', "'rerank.url' must not hold a name or password: set 'rerank.api_key'.");
  }
  if (!/\/rerank\/?$/.test(url.pathname)) url.pathname = `${url.pathname.replace(/\/+$/, '')}/rerank`;
  return url;
}

/** Scores by the index that each result carries; null where one is missing, twice there, or no number. */
function scoresOf(answer: unknown, count: number): number[] | null {
  const results = Array.isArray(answer) ? answer : (answer as { results?: unknown } | null)?.results;
  if (!Array.isArray(results) || results.length !== count) return null;
  const scores = new Map<number, number>();
  for (const result of results as ({ index?: unknown; relevance_score?: unknown; score?: unknown } | null)[]) {
    const [index, score] = [result?.index, result?.relevance_score ?? result?.score];
    if (typeof index !== 'number' || typeof score !== 'number' || !Number.isFinite(score)) return null;
    scores.set(index, score);
  }
  const inOrder = Array.from({ length: count }, (_, index) => scores.get(index));
  return inOrder.includes(undefined) ? null : (inOrder as number[]);
}
