// B sees and changes nothing of A. The test walks the registry: an operation that is added later is walked too. K200: ids of another
// user are refused everywhere, in the words of an id that does not exist, so that not even its being there is told.
import { describe, expect, it } from 'vitest';
import { internalContext } from '#daemon/kernel/context.ts';
import { contracts } from '#shared/contract/index.ts';
import type { Contract } from '#shared/contract/operation.ts';
import { LociError } from '#shared/errors.ts';
import {
  type Belongings,
  callerOn,
  crossedTies,
  everyRow,
  inputsWith,
  lostRows,
  plantEverything,
} from '../../support/isolation.ts';
import { openTestStore, type TestStore } from '../../support/test-store.ts';

/** In every text of A and in nothing that B ever says. */
const wordOfA = 'quagga';
const wordOfB = 'okapi';
/** What B holds: a token with `*` of a user who is not the owner. */
const scopesOfB = ['read', 'write'];
/** Words that find what A has, without the word by which a leak is known. */
const words = { query: 'caches are warm, we deploy on Tuesdays', text: `said by ${wordOfB}`, project: 'shop' };

const walked: readonly Contract[] = contracts.filter(({ scope }) => scope !== 'admin');
const reading = walked.filter(({ hints }) => hints.readOnly);
const changing = walked.filter(({ hints }) => !hints.readOnly);

type World = { store: TestStore; theirs: Belongings; mine: Belongings; before: Map<string, Set<string>> };

async function twoUsers(): Promise<World> {
  const store = await openTestStore();
  const theirs = await plantEverything(callerOn(store, 1, ['*']), wordOfA);
  await settled(store);
  await callerOn(store, 1, ['*'])('memory_clean'); // writes what was counted of the reads so far
  const before = everyRow(store.home);
  await store.call('create_user', { name: 'b' });
  const mine = await plantEverything(callerOn(store, 2, scopesOfB), wordOfB);
  await settled(store);
  return { store, theirs, mine, before };
}

/** Until the background has embedded and counted. */
async function settled(store: TestStore): Promise<void> {
  await expect
    .poll(async () => (await store.call<{ vectors: { pending: number } }>('memory_stats')).vectors.pending)
    .toBe(0);
  await new Promise((resolve) => setTimeout(resolve, 60));
}

async function said(call: () => Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await call());
  } catch (error) {
    if (!(error instanceof LociError)) throw error;
    return JSON.stringify([error.code, error.message, error.details]);
  }
}

/** Calls with every mixture of A's and B's ids; answers what was shown of A. */
async function leaksOf({ store, theirs, mine }: World, contract: Contract): Promise<string[]> {
  const asB = callerOn(store, 2, scopesOfB);
  const leaks: string[] = [];
  for (const input of inputsWith(contract, theirs, mine, words)) {
    const text = await said(() => asB(contract.name, input));
    if (text.includes(wordOfA)) leaks.push(`${contract.name} ${JSON.stringify(input)}: ${text.slice(0, 400)}`);
  }
  return leaks;
}

async function expectUntouched({ store, before }: World): Promise<void> {
  await settled(store);
  expect(lostRows(before, store.home)).toEqual([]);
  expect(crossedTies(store.home)).toEqual([]);
}

describe('a user among others', () => {
  it('a second user who only begins leaves the rows of the first as they were', async () => {
    const world = await twoUsers();
    expect(Object.values(world.theirs).every((id) => id > 0)).toBe(true);
    await expectUntouched(world);
  });

  it('no operation that reads shows or changes anything of another user', async () => {
    const world = await twoUsers();
    const leaks: string[] = [];
    for (const contract of reading) leaks.push(...(await leaksOf(world, contract)));
    expect(leaks).toEqual([]);
    await expectUntouched(world);
  });

  it.each(changing.map((contract) => [contract.name, contract] as const))(
    '%s shows and changes nothing of another user',
    async (_name, contract) => {
      const world = await twoUsers();
      expect(await leaksOf(world, contract)).toEqual([]);
      await expectUntouched(world);
    },
  );

  it('to a user who has nothing, the store looks as an empty one does: no count tells of others', async () => {
    const full = await openTestStore();
    await plantEverything(callerOn(full, 1, ['*']), wordOfA);
    await settled(full);
    await full.call('create_user', { name: 'b' });
    const empty = await openTestStore();
    await empty.call('create_user', { name: 'b' });
    const given = { query: 'deploy', query_context: 'a test', prompt: 'when do we deploy', action: 'list' };
    const needless = reading.filter(({ input }) =>
      Object.entries(input.shape).every(
        ([name, field]) =>
          (field as { safeParse(value: unknown): { success: boolean } }).safeParse(undefined).success || name in given,
      ),
    );
    expect(needless.length).toBeGreaterThan(20);
    for (const { name, input } of needless) {
      const fields = Object.fromEntries(Object.entries(given).filter(([field]) => field in input.shape));
      const [seen, expected] = await Promise.all(
        [full, empty].map(async (store) =>
          masked(JSON.parse(await said(() => callerOn(store, 2, scopesOfB)(name, fields)))),
        ),
      );
      expect([name, seen]).toEqual([name, expected]);
    }
  });

  it('K200 an id of another user is refused in the words of one that does not exist', async () => {
    const world = await twoUsers();
    const { store, theirs, mine } = world;
    const absent = Object.fromEntries(Object.keys(theirs).map((kind, index) => [kind, 900_001 + index]));
    const asB = callerOn(store, 2, scopesOfB);
    const differences: unknown[] = [];
    for (const { name, input } of walked.filter(({ input }) =>
      Object.keys(input.shape).some((field) => /id/.test(field)),
    )) {
      const contract = walked.find((one) => one.name === name) as Contract;
      const [ofA] = inputsWith(contract, theirs, mine, words);
      const [ofNobody] = inputsWith(contract, absent, mine, words);
      if (JSON.stringify(ofA) === JSON.stringify(ofNobody) || input.shape.memory_ids !== undefined) continue;
      const [seen, expected] = [
        await said(() => asB(name, ofA as object)),
        await said(() => asB(name, ofNobody as object)),
      ];
      const withoutNumbers = (text: string): string =>
        text.replace(/\d+(\.\d+)?/g, '#').replace(/[0-9a-f#]{8}-[\w#-]+/g, 'uid');
      if (withoutNumbers(seen) !== withoutNumbers(expected)) differences.push([name, ofA, seen, expected]);
    }
    expect(differences).toEqual([]);
  });

  it('a stream of events holds the own ones alone, those of the past too', async () => {
    const world = await twoUsers();
    const written: string[] = [];
    const closing = new AbortController();
    const sink = {
      write: (text: string) => void written.push(text),
      unsentBytes: () => 0,
      drained: async () => undefined,
      end: () => closing.abort(),
      cut: () => closing.abort(),
      closed: closing.signal,
    };
    await world.store.store.openEventStream({ userId: 2, kind: null, action: null, after: 0 }, sink);
    await callerOn(world.store, 1, ['*'])('memory_save', { content: `We sail on Fridays ${wordOfA}` });
    await callerOn(world.store, 2, scopesOfB)('memory_save', { content: 'We row on Sundays' });
    await expect.poll(() => written.join('')).toContain('We row on Sundays');
    closing.abort();
    expect(written.join('')).toContain(wordOfB);
    expect(written.join('')).not.toContain(wordOfA);
  });

  it("an export holds what is one's own alone", async () => {
    const { store } = await twoUsers();
    const context = { ...internalContext, userId: 2, scopes: scopesOfB };
    const parts: string[] = [];
    const lines = await store.store.openExport({ project: null, includeObsolete: true }, context);
    for await (const part of lines) parts.push(Buffer.from(part).toString());
    expect(parts.join('')).toContain(wordOfB);
    expect(parts.join('')).not.toContain(wordOfA);
  });

  it('files of this machine are neither read nor replaced for another user, `admin` or not', async () => {
    const { store } = await twoUsers();
    const asB = callerOn(store, 2, [...scopesOfB, 'admin']);
    for (const [name, input] of [
      ['memory_compress', { root: '/' }],
      ['memory_restore_files', {}],
      ['memory_sweep', { transcript_path: '/x.jsonl' }],
      ['memory_take_file', { path: '/x/memory/a.md' }],
    ] as const) {
      expect(await said(() => asB(name, input))).toContain('forbidden');
    }
  });
});

/** Times, sizes and identities of the two stores differ by nature. */
function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== 'object' || value === null) return value;
  const natural = /_at$|_ms$|uid|bytes|uptime|pid|seq|socket|^last_run|home|path|^data$/;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, natural.test(key) ? 'masked' : masked(member)]),
  );
}
