// Which fading memories say nearly the same. A cluster holds memories any two of which are above the threshold: a chain of
// neighbours would unite what its two ends do not share. Each memory gathers the nearest ones that fit, in order of id, so
// that the same store always gives the same clusters.

import { prepared } from '../prepared.ts';
import type { ReaderQuery } from '../reader-query.ts';
import type { Alike, GroupScan, Pace } from '../vectors/group-scan.ts';
import { eachGroup, openToUnion } from './memory-groups.ts';

export const fadingClusters: ReaderQuery<'fadingClusters'> = async (db, argument) => {
  const { userId, projectId, nowMs, fadedAfterMs, modelId, dimensions, threshold, minCandidates, maxMembers } =
    argument;
  const where = `${openToUnion}
    AND (:nowMs - COALESCE(m.last_accessed_at, m.created_at)) * (1 - m.confidence) > :fadedAfterMs
    AND (CAST(:projectId AS BIGINT) IS NULL OR m.primary_project_id = :projectId)
    AND NOT EXISTS (SELECT 1 FROM kept_apart k WHERE k.memory_id = m.id)`;
  const parameters = { userId, projectId, nowMs, fadedAfterMs };
  const { candidates } = prepared<object, { candidates: number }>(
    db,
    `SELECT COUNT(*) AS candidates FROM memories m WHERE ${where}`,
  ).get(parameters) ?? { candidates: 0 };
  const clusters: number[][] = [];
  if (candidates >= minCandidates) {
    await eachGroup(db, { where, parameters, modelId, dimensions }, async (group, pace) => {
      clusters.push(...(await clustersOf(group, { threshold, maxMembers }, pace)));
    });
  }
  return { candidates, clusters };
};

async function clustersOf(
  group: GroupScan,
  { threshold, maxMembers }: { threshold: number; maxMembers: number },
  pace: Pace,
): Promise<number[][]> {
  const taken = new Uint8Array(group.size());
  const clusters: number[][] = [];
  for (let first = 0; first < group.size(); first += 1) {
    if (taken[first] === 1) continue;
    const members = [first];
    for (const { index } of nearestFirst(await group.later(first, threshold, taken, pace))) {
      if (members.length >= maxMembers) break;
      if (members.every((member) => member === first || group.similarity(member, index) > threshold))
        members.push(index);
      await pace.breathe();
    }
    if (members.length === 1) continue;
    for (const member of members) taken[member] = 1;
    clusters.push(members.map((member) => group.idOf(member)).sort((a, b) => a - b));
  }
  return clusters;
}

function nearestFirst(alike: readonly Alike[]): Alike[] {
  return [...alike].sort((a, b) => b.similarity - a.similarity || a.index - b.index);
}
