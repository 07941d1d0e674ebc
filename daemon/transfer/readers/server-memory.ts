// The memory server of the Model Context Protocol: a line for each entity with its observations, and for each relation. An observation is a
// memory about its entity, so that it is found by what it says.
import { entityTypes } from '#shared/contract/knowledge/entities.ts';
import { linkItem, noteItems } from './foreign-notes.ts';
import { parseLine, readLines } from './lines.ts';
import { textOf, textsOf } from './read-values.ts';
import type { Item, Reader, ReaderTools } from './reader.ts';

/** Its types are any word; ours that mean the same. */
const typesByWord: Readonly<Record<string, (typeof entityTypes)[number]>> = {
  person: 'Individual',
  people: 'Individual',
  user: 'Individual',
  company: 'Organization',
  organisation: 'Organization',
  group: 'Team',
  machine: 'Device',
  server: 'Device',
  service: 'System',
  software: 'System',
  application: 'System',
  tool: 'System',
};

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
    for (const relation of relations) yield relationItem(relation, tools, known);
  },
};

function* entityItems(
  { line, value }: { line: number; value: Record<string, unknown> },
  tools: ReaderTools,
  known: Set<string>,
): Generator<Item> {
  const name = textOf(value.name);
  if (name === null) return yield { line, problem: 'the entity has no `name`' };
  const uid = tools.uidFor('entity', name);
  if (!known.has(name)) {
    known.add(name);
    const word = textOf(value.entityType) ?? 'unknown';
    const type =
      entityTypes.find((one) => one.toLowerCase() === word.toLowerCase()) ?? typesByWord[word.toLowerCase()] ?? 'Other';
    const record = {
      kind: 'entity',
      uid,
      name: name.slice(0, 1_000).toWellFormed(),
      entity_type: type === 'Other' ? 'Other' : type,
      custom_type: type === 'Other' ? word.slice(0, 100).toWellFormed() : null,
      created_at: tools.nowIso,
      updated_at: tools.nowIso,
    };
    yield { line, record, isTimed: false };
  }
  for (const observation of new Set(textsOf(value.observations))) {
    const noted = noteItems(tools, {
      sourceId: [name, observation],
      content: observation,
      title: name,
      line,
      createdAt: null,
    });
    if (noted === null) continue;
    yield* noted.items;
    if (noted.kind === 'memory')
      yield linkItem(tools, { kind: 'entity', uid }, { kind: 'memory', uid: noted.uid }, line);
  }
}

function relationItem(
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
  const record = {
    kind: 'relationship',
    uid: tools.uidFor('relationship', from, to, type),
    relationship_type: type.slice(0, 200).toWellFormed(),
    source: tools.uidFor('entity', from),
    target: tools.uidFor('entity', to),
    created_at: tools.nowIso,
    updated_at: tools.nowIso,
  };
  return { line, record, isTimed: false };
}
