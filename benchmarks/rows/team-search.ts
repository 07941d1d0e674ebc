// The same memories on SQLite and on PostgreSQL, asked the same new questions in turns: what a team pays for sharing. The embedding of the
// query is part of both, and what is looked at besides is the search by keyword alone, where the engines differ most.
import { moveStore } from '#daemon/move-store.ts';
import { resolvePaths } from '#shared/paths.ts';
import { runSql, startCluster } from '../../tests/support/postgres/cluster.ts';
import type { Bench } from '../bench.ts';
import { countFinding, type Finding, ratioFinding } from '../figures.ts';
import type { RunningDaemon } from '../processes/running-daemon.ts';
import { createDeveloperTexts, type DeveloperTexts } from '../store/developer-texts.ts';
import type { Workshop } from '../workshop.ts';

const rounds = 60;
const warmRounds = 10;
const database = 'bench';

export const teamSearchBenches: readonly Bench[] = [
  { name: 'team-search-10000', isLong: true, run: (workshop) => teamSearch(workshop, 10_000) },
  { name: 'team-search', isLong: true, run: (workshop) => teamSearch(workshop, 100_000) },
];

async function teamSearch(workshop: Workshop, memories: number): Promise<Finding[]> {
  const home = await workshop.filledHome(memories);
  const cluster = await startCluster();
  try {
    await runSql(cluster.url('postgres'), `CREATE DATABASE ${database}`);
    const url = cluster.url(database);
    workshop.say(`moving ${memories} memories into PostgreSQL`);
    const paths = resolvePaths({ LOCI_HOME: home });
    await moveStore(paths, { url, direction: 'to-team', isRehearsal: false, progress: () => undefined });
    const alone = await workshop.daemon(home);
    const team = await workshop.daemon(workshop.emptyHome(), { LOCI_STORAGE_URL: url });
    const findings = await compareSearches(alone, team, memories);
    await team.stop();
    return findings;
  } finally {
    await cluster.stop();
  }
}

type Answer = { readonly results: readonly { readonly id: number }[] };

/** Questions that neither has been asked, first to one and then to the other, who begins changing each time. */
async function compareSearches(alone: RunningDaemon, team: RunningDaemon, memories: number): Promise<Finding[]> {
  const texts = createDeveloperTexts(memories + 3);
  for (const daemon of [alone, team]) await daemon.call('memory_search', { query: 'load the vectors', mode: 'vector' });
  const findings = [await sameHits(alone, team, texts, memories)];
  for (const mode of ['hybrid', 'keyword']) {
    const [onFile, onTeam]: [number[], number[]] = [[], []];
    for (let round = -warmRounds; round < rounds; round += 1) {
      const input = { query: texts.question(), mode };
      const isTeamFirst = round % 2 === 0;
      const before = isTeamFirst ? await team.time('memory_search', input) : null;
      const fileMs = await alone.time('memory_search', input);
      const teamMs = before ?? (await team.time('memory_search', input));
      if (round < 0) continue;
      onFile.push(fileMs);
      onTeam.push(teamMs);
    }
    const what = `${mode} search through PostgreSQL, ${memories} memories`;
    findings.push(
      ratioFinding({ what, atMost: 2, values: onTeam, yardstick: { name: 'through SQLite', values: onFile } }),
    );
  }
  return findings;
}

/** At a depth that counts no access: what is used more often comes sooner, and the two are counted apart. */
async function sameHits(
  alone: RunningDaemon,
  team: RunningDaemon,
  texts: DeveloperTexts,
  memories: number,
): Promise<Finding> {
  let same = 0;
  for (let round = 0; round < rounds; round += 1) {
    const input = { query: texts.question(), depth: 1, limit: 10 };
    const [one, other] = [
      await alone.call<Answer>('memory_search', input),
      await team.call<Answer>('memory_search', input),
    ];
    const ids = ({ results }: Answer): string => results.map(({ id }) => id).join();
    if (ids(one) === ids(other)) same += 1;
  }
  return countFinding(
    `searches with the same ten hits, ${memories} memories`,
    `${rounds} of ${rounds}`,
    `${same} of ${rounds}`,
  );
}
