// The memory server of the Model Context Protocol: a line for each entity with its observations, and for each relation. An observation is a
// memory about its entity, so that it is found by what it says.
import { entityItem, relationItem } from './foreign-graph.ts';
import { linkItem, noteItems, privateNotice } from './foreign-notes.ts';
import { parseLine, readLines } from './lines.ts';
import { textOf, textsOf } from './read-values.ts';
import type { Item, Reader, ReaderTools } from './reader.ts';

export const serverMemoryReader: Reader = {
  source: 'server-memory',
  detects: ({ head }) => {
    const [first = ''] = head
      .replace(/^\uFEFF/, '')
      .trimStart()
      .split('\n', 1);
    return (
      /^\{/.test(first) &&
      /"type"\s*:\s*"(?:entity|relation)"/.test(first) &&
      /"(?:entityType|relationType)"\s*:/.test(first)
    );
  },
  *read({ path }, tools): Generator<Item> {
    const known = new Set<string>();
    const relations: { readonly line: number; readonly value: Record<string, unknown> }[] = [];
    for (const line of readLines(path, tools.progress)) {
      const parsed = parseLine(line);
      if ('problem' in parsed) yield parsed;
      else if (parsed.value.type === 'entity') yield* entityItems(parsed, tools, known);
      else if (parsed.value.type === 'relation') relations.push(parsed);
      else yield { line: parsed.line, problem: 'the line is neither an entity nor a relation' };
    }
    // an entity may stand behind what refers to it
    for (const relation of relations) yield relationOf(relation, tools, known);
  },
};

function* entityItems(
  { line, value }: { line: number; value: Record<string, unknown> },
  tools: ReaderTools,
  known: Set<string>,
): Generator<Item> {
  const name = textOf(value.name);
  if (name === null) return yield { line, problem: 'the entity has no `name`' };
  if (!known.has(name)) {
    known.add(name);
    yield entityItem(tools, name, textOf(value.entityType) ?? 'unknown', line);
  }
  for (const observation of new Set(textsOf(value.observations))) {
    const noted = noteItems(tools, {
      sourceId: [name, observation],
      content: observation,
      title: name,
      line,
      createdAt: null,
    });
    if (noted === null) {
      yield privateNotice;
      continue;
    }
    yield* noted.items;
    const entity = { kind: 'entity', uid: tools.uidFor('entity', name) } as const;
    if (noted.kind === 'memory') yield linkItem(tools, entity, { kind: 'memory', uid: noted.uid }, line);
  }
}

function relationOf(
  { line, value }: { line: number; value: Record<string, unknown> },
  tools: ReaderTools,
  known: ReadonlySet<string>,
): Item {
  const [from, to, type] = [textOf(value.from), textOf(value.to), textOf(value.relationType)];
  if (from === null || to === null || type === null)
    return { line, problem: 'the relation lacks `from`, `to` or `relationType`' };
  const missing = [from, to].find((name) => !known.has(name));
  if (missing !== undefined)
    return { line, problem: `the relation is with "${missing.slice(0, 100)}", which no line describes` };
  return relationItem(tools, { from, to, type }, line);
}
