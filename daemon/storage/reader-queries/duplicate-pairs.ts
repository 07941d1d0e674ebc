// Pairs of memories that may say the same. Whether they do is for the guard to say, which needs their texts. Each memory names
// its nearest few alone: in a store of thousand copies all pairs would be half a million, and the next run finds the rest.
import type { ReaderQuery } from '../reader-query.ts';
import { eachGroup, openToUnion } from './memory-groups.ts';

export const duplicatePairs: ReaderQuery<'duplicatePairs'> = async (db, argument) => {
  const { userId, nowMs, modelId, dimensions, threshold, maxPartners } = argument;
  const pairs: { a: number; b: number; similarity: number }[] = [];
  const scope = { where: openToUnion, parameters: { userId, nowMs }, modelId, dimensions };
  await eachGroup(db, scope, async (group, pace) => {
    const none = new Uint8Array(group.size());
    for (let first = 0; first < group.size(); first += 1) {
      const alike = await group.later(first, threshold, none, pace);
      const nearest = alike.sort((x, y) => y.similarity - x.similarity || x.index - y.index).slice(0, maxPartners);
      for (const { index, similarity } of nearest)
        pairs.push({ a: group.idOf(first), b: group.idOf(index), similarity });
    }
  });
  return { pairs };
};
