// Memories as resources, which agents offer as attachments: `memory://42`. The newest are listed, every other is reached by the template,
// whose id is completed from words as well as from digits. No subscriptions: they would be state that a restart had to restore.
import {
  type CompleteResult,
  INVALID_PARAMS,
  ProtocolError,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server';
import type { CallContext } from '#daemon/kernel/context.ts';
import type { Invoke } from '#daemon/kernel/invoke.ts';
import { LociError } from '#shared/errors.ts';
import { type Shown, shownMemory } from './shown-memory.ts';

const uriTemplate = 'memory://{id}';
const mimeType = 'text/markdown';
const listedResources = 20;
const maxCompletions = 20;

export const resourceTemplates: readonly ResourceTemplateType[] = [
  { name: 'memory', title: 'A memory', description: 'One memory, by its id.', uriTemplate, mimeType },
];

/** The newest memories. */
export async function listResources(invoke: Invoke, context: CallContext): Promise<Resource[]> {
  const memories = await recent(invoke, context, listedResources);
  return memories.map(({ id, title }) => ({ uri: `memory://${id}`, name: String(id), title, mimeType }));
}

/** One memory as text. Throws the protocol's "resource not found". */
export async function readResource(invoke: Invoke, uri: string, context: CallContext): Promise<ReadResourceResult> {
  const id = /^memory:\/\/(\d{1,15})\/?$/.exec(uri)?.[1];
  if (id === undefined) throw new ProtocolError(INVALID_PARAMS, 'A memory is named by its id, as in memory://42.');
  try {
    const memory = (await invoke('memory_get', { id: Number(id) }, context)) as Shown;
    return { contents: [{ uri, mimeType, text: shownMemory(memory) }] };
  } catch (error) {
    if (error instanceof LociError && error.code === 'not_found') throw new ResourceNotFoundError(uri);
    throw error;
  }
}

export type Completion = { readonly argument: string; readonly value: string; readonly uri: string | null };

/** Ids for what was typed so far: those that begin with its digits, or those of memories that its words find. */
export async function completeId(
  invoke: Invoke,
  { argument, value, uri }: Completion,
  context: CallContext,
): Promise<CompleteResult['completion']> {
  if (uri !== uriTemplate || argument !== 'id') return { values: [], hasMore: false };
  const ids = /^\d*$/.test(value)
    ? (await recent(invoke, context, 100)).map(({ id }) => String(id)).filter((id) => id.startsWith(value))
    : await found(invoke, context, value);
  return { values: ids.slice(0, maxCompletions), hasMore: ids.length > maxCompletions };
}

async function recent(
  invoke: Invoke,
  context: CallContext,
  limit: number,
): Promise<readonly { id: number; title: string }[]> {
  const answer = (await invoke('get_recent_memories', { limit }, context)) as {
    memories: readonly { id: number; title: string }[];
  };
  return answer.memories;
}

async function found(invoke: Invoke, context: CallContext, query: string): Promise<string[]> {
  const input = { query: query.slice(0, 1_000), limit: maxCompletions, depth: 1 };
  const { results } = (await invoke('memory_search', input, context)) as { results: readonly { id: number }[] };
  return results.map(({ id }) => String(id));
}
