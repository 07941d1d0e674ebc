// A home with a knowledge graph: 10,000 memories with three links each, 1,000 entities, 5,000 relationships, each entity linked to notes.
// Made by the operations of the store over a filled home, and kept beside it.
import { cpSync, existsSync, renameSync, rmSync } from 'node:fs';
import type { StoreDoor as Store } from '#daemon/store-door.ts';
import { askStore, copyFilledHome, keptHome, openFixtureStore } from './filled-home.ts';

export const graphSize = { memories: 10_000, linksEach: 3, entities: 1_000, relationships: 5_000 } as const;

/** Moves with what a graph home must hold. */
const graphVersion = 1;

export async function copyGraphHome(home: string, say: (sentence: string) => void): Promise<void> {
  const kept = keptHome(`graph${graphVersion}-${graphSize.memories}`);
  if (!existsSync(kept)) {
    say('making a store with a graph');
    const unfinished = `${kept}.${process.pid}`;
    rmSync(unfinished, { recursive: true, force: true });
    await copyFilledHome(graphSize.memories, unfinished, say);
    const store = await openFixtureStore(unfinished);
    await addGraph(store);
    await store.close();
    renameSync(unfinished, kept);
  }
  cpSync(kept, home, { recursive: true });
}

async function addGraph(store: Store): Promise<void> {
  const { memories, linksEach, entities, relationships } = graphSize;
  for (let id = 1; id <= memories; id += 1) {
    // spread over the whole store, so that a walk jumps about as it does in a grown one
    const related_ids = Array.from(
      { length: linksEach },
      (_, index) => 1 + ((id * (7 + 1_000 * index) + 13) % memories),
    );
    await askStore(store, 'link_memories', { memory_id: id, related_ids: related_ids.filter((other) => other !== id) });
  }
  for (let id = 1; id <= entities; id += 1) {
    const entity = { name: `Service ${id}`, entity_type: 'System', aka: [`svc-${id}`], tags: [`team-${id % 20}`] };
    await askStore(store, 'create_entity', { ...entity, notes: `keeps part ${id} of the shop running` });
    for (let link = 0; link < 3; link += 1) {
      await askStore(store, 'link_entity_to_memory', {
        entity_id: id,
        memory_id: 1 + ((id * 31 + link * 977) % memories),
      });
    }
  }
  const edges = Array.from({ length: relationships }, (_, index) => {
    const from_entity_id = 1 + (index % entities);
    const step = 1 + 17 * (1 + Math.floor(index / entities));
    const to_entity_id = 1 + ((from_entity_id - 1 + step) % entities);
    return { from_entity_id, to_entity_id, relationship_type: 'depends_on', strength: 1, confidence: 1 };
  });
  for (let first = 0; first < edges.length; first += 100) {
    await askStore(store, 'create_entity_relationships', { relationships: edges.slice(first, first + 100) });
  }
}
