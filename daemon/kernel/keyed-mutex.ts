// One holder a key at a time. A near-duplicate search and the save that follows it must not interleave with another's:
// without this three equal saves gave three memories.

export type KeyedMutex = {
  /** Runs `work` while no other work holds any of `keys`; keys are taken in sorted order, so that two batches never wait for each other. */
  run<T>(keys: readonly string[], work: () => Promise<T>): Promise<T>;
};

export function createKeyedMutex(): KeyedMutex {
  const tails = new Map<string, Promise<void>>();

  return {
    async run(keys, work) {
      const releases: (() => void)[] = [];
      for (const key of [...new Set(keys)].sort()) releases.push(await take(key));
      try {
        return await work();
      } finally {
        for (const release of releases) release();
      }
    },
  };

  async function take(key: string): Promise<() => void> {
    const before = tails.get(key);
    let release: () => void = () => undefined;
    const mine = new Promise<void>((resolve) => {
      release = resolve;
    });
    tails.set(key, mine);
    await before;
    return () => {
      if (tails.get(key) === mine) tails.delete(key);
      release();
    };
  }
}
