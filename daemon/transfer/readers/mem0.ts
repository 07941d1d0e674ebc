// mem0: the answer of its `get_all`, or an export of the platform, as a file.
import { noteItems } from './foreign-notes.ts';
import { jsonItems } from './json-items.ts';
import { instantOf, objectOf, textOf, textsOf } from './read-values.ts';
import type { Item, Reader } from './reader.ts';

export const mem0Reader: Reader = {
  source: 'mem0',
  detects: ({ head }) =>
    /^\uFEFF?\s*[[{]/.test(head) &&
    /"memory"\s*:\s*"/.test(head) &&
    /"(?:hash|user_id|agent_id|run_id|categories)"\s*:/.test(head),
  *read({ path }, tools): Generator<Item> {
    for (const item of jsonItems(path, ['results', 'memories'], tools.progress)) {
      if ('problem' in item) {
        yield item;
        continue;
      }
      const given = item.value;
      const id = textOf(given.id) ?? textOf(given.hash);
      const content = textOf(given.memory) ?? textOf(given.data);
      const noted =
        id === null || content === null
          ? null
          : noteItems(tools, {
              sourceId: [id],
              content,
              line: item.line,
              createdAt: instantOf(given.created_at),
              updatedAt: instantOf(given.updated_at),
              tags: textsOf(given.categories),
              more: {
                agent: textOf(given.agent_id),
                session: textOf(given.run_id),
                metadata: {
                  ...objectOf(given.metadata),
                  ...(textOf(given.user_id) === null ? {} : { user_id: given.user_id }),
                },
              },
            });
      if (noted === null) yield { line: item.line, problem: 'the record has no `id` or no `memory`' };
      else yield* noted.items;
    }
  },
};
