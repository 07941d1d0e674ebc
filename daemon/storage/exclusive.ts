/** Takes the right to do something alone among all daemons on one database; answers how to give it back, or null where another has it. */
export type Exclusive = (name: string) => Promise<(() => Promise<void>) | null>;

/** A daemon that has its database to itself. */
export const aloneIsExclusive: Exclusive = async () => async () => undefined;
