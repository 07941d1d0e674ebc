// Entities that are known by their name alone, and what relates them: how the memory server and mem0 keep a graph.
import { entityTypes } from '#shared/contract/knowledge/entities.ts';
import type { Item, ReaderTools } from './reader.ts';

/** Their types are any word; ours that mean the same. */
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

/** The entity of a name; a type that is none of ours is kept as its own word. */
export function entityItem(tools: ReaderTools, name: string, word: string, line: number | null): Item {
  const lower = word.toLowerCase();
  const known = entityTypes.find((one) => one.toLowerCase() === lower);
  const type = known ?? (Object.hasOwn(typesByWord, lower) ? typesByWord[lower] : undefined) ?? 'Other';
  const record = {
    kind: 'entity',
    uid: tools.uidFor('entity', name),
    name: name.slice(0, 1_000).toWellFormed(),
    entity_type: type,
    custom_type: type === 'Other' ? word.slice(0, 100).toWellFormed() : null,
    created_at: tools.nowIso,
    updated_at: tools.nowIso,
  };
  return { line, record, isTimed: false };
}

export type Relation = { readonly from: string; readonly to: string; readonly type: string };

export function relationItem(tools: ReaderTools, { from, to, type }: Relation, line: number | null): Item {
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
