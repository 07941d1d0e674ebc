// The embedder that everything holds, and behind it the model of the day. When a store has been embedded anew, the model is exchanged here
// and nowhere else. Whoever embeds a text and then names the model must take both from one model: `presentModel` gives it, and stays
// what it is when another takes over.
import type { Embedder } from './embedder.ts';

export type ActiveEmbedder = Embedder & {
  /** Puts another model in the place of the present one, which is closed a little later: work under way may still need it. */
  switchTo(next: Embedder): void;
};

const present = new WeakMap<Embedder, () => Embedder>();

/** Long enough for a text that is being embedded, short enough for the memory of a model. */
const farewellMs = 10_000;

export function createActiveEmbedder(first: Embedder): ActiveEmbedder {
  let current = first;
  const leaving = new Map<Embedder, NodeJS.Timeout>();
  const active: ActiveEmbedder = {
    get modelId() {
      return current.modelId;
    },
    get dimensions() {
      return current.dimensions;
    },
    embed: (texts, options) => current.embed(texts, options),
    split: (text) => current.split(text),
    embedFirst: (text, lane) => current.embedFirst(text, lane),
    warm: () => current.warm(),
    state: () => current.state(),
    switchTo(next) {
      const former = current;
      current = next;
      const timer = setTimeout(() => {
        leaving.delete(former);
        void former.close().catch(() => undefined);
      }, farewellMs);
      leaving.set(former, timer);
      timer.unref();
    },
    async close() {
      const all = [...leaving];
      leaving.clear();
      for (const [, timer] of all) clearTimeout(timer);
      await Promise.all([...all.map(([former]) => former.close()), current.close()]);
    },
  };
  present.set(active, () => current);
  return active;
}

/** The model behind an embedder at this moment; the embedder itself where there is none behind it. */
export function presentModel(embedder: Embedder): Embedder {
  return present.get(embedder)?.() ?? embedder;
}
