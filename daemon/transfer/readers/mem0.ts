// mem0: the answer of its `get_all`, or an export of the platform, as a file. Where it keeps a graph, the answer holds its relations too.
import { entityItem, relationItem } from './foreign-graph.ts';
import { itemsOfNote } from './foreign-notes.ts';
import { jsonItems } from './json-items.ts';
import { instantOf, metadataOf, objectOf, textOf, textsOf } from './read-values.ts';
import type { Item, Reader, ReaderTools } from './reader.ts';

export const mem0Reader: Reader = {
  source: 'mem0',
  detects: ({ head }) =>
    /^\uFEFF?\s*[[{]/.test(head) &&
    /"memory"\s*:\s*"/.test(head) &&
    /"(?:hash|user_id|agent_id|run_id|categories)"\s*:/.test(head),
  *read({ path }, tools): Generator<Item> {
    for (const item of jsonItems(path, ['results', 'memories'], tools.progress)) {
      if ('problem' in item) yield item;
      else yield* memoryItems(item.value, item.line, tools);
    }
    yield* graphItems(path, tools);
  },
};

function* memoryItems(given: Record<string, unknown>, line: number, tools: ReaderTools): Generator<Item> {
  const id = textOf(given.id) ?? textOf(given.hash);
  const content = textOf(given.memory) ?? textOf(given.data);
  if (id === null || content === null) return yield { line, problem: 'the record has no `id` or no `memory`' };
  yield* itemsOfNote(tools, {
    sourceId: [id],
    content,
    line,
    createdAt: instantOf(given.created_at),
    updatedAt: instantOf(given.updated_at),
    tags: textsOf(given.categories),
    more: {
      agent: textOf(given.agent_id),
      session: textOf(given.run_id),
      author: textOf(given.actor_id),
      expires_at: endOf(given.expiration_date),
      metadata: {
        ...metadataOf(objectOf(given.metadata)),
        ...(textOf(given.user_id) === null ? {} : { user_id: given.user_id }),
      },
    },
  });
}

/** It names the last day on which a memory holds. */
function endOf(date: unknown): string | null {
  const text = textOf(date);
  return instantOf(text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T23:59:59.999Z` : date);
}

/** Its relations name their ends and no more; a relation of an entity with itself says nothing that can be kept. */
function* graphItems(path: string, tools: ReaderTools): Generator<Item> {
  const known = new Set<string>();
  for (const item of jsonItems(path, ['relations'], () => undefined)) {
    if ('problem' in item) continue;
    const { source, relationship, relation, target, destination } = item.value;
    const [from, to, type] = [
      textOf(source),
      textOf(target) ?? textOf(destination),
      textOf(relationship) ?? textOf(relation),
    ];
    if (from === null || to === null || type === null || from === to) continue;
    for (const name of [from, to]) {
      if (known.has(name)) continue;
      known.add(name);
      yield entityItem(tools, name, 'unknown', item.line);
    }
    yield relationItem(tools, { from, to, type }, item.line);
  }
}
