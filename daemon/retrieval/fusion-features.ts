// The sixteen numbers the fitted fusion knows of a candidate. All of them exist for any memory, and none depends on the size of a score alone:
// levels are taken against the scope's noise, distances against the best of the query.
import type { Candidates } from './candidates.ts';
import { standardised } from './noise.ts';

/** In the order of the weights. */
export const featureNames = [
  'cosine',
  'keyword',
  'coverage',
  'coverage squared',
  'rarest word',
  'length',
  'question',
  'cosine behind best',
  'keyword behind best',
  'cosine x coverage',
  'cosine x code',
  'keyword x code',
  'coverage x code',
  'length x code',
  'cosine behind best x code',
  'keyword behind best x code',
] as const;

/** A row of numbers for each candidate, in the order of `featureNames`. */
export function featuresOfCandidates({ list, rows, cosineNoise, keywordNoise }: Candidates): number[][] {
  const noise = cosineNoise ?? { mean: 0, deviation: 0 };
  const bestCosine = Math.max(noise.mean, ...list.map(({ similarity }) => similarity ?? noise.mean));
  const bestScore = Math.max(0, ...list.map(({ keyword }) => keyword?.score ?? 0));
  const codeShare = list.length === 0 ? 0 : list.filter(({ features }) => features.code).length / list.length;
  const largestIdf = Math.log(rows + 1);

  return list.map(({ similarity, keyword, features }) => {
    const cosine = standardised(similarity ?? noise.mean, noise);
    const words = standardised(keyword?.score ?? 0, keywordNoise);
    const coverage = keyword?.coverage ?? 0;
    const length = Math.min(1, Math.log(1 + features.words) / Math.log(60));
    const cosineBehind = bestCosine - (similarity ?? noise.mean);
    const wordsBehind = bestScore > 0 ? 1 - (keyword?.score ?? 0) / bestScore : 0;
    return [
      cosine,
      words,
      coverage,
      coverage * coverage,
      largestIdf > 0 ? (keyword?.rarestIdf ?? 0) / largestIdf : 0,
      length,
      features.question ? 1 : 0,
      cosineBehind,
      wordsBehind,
      cosine * coverage,
      cosine * codeShare,
      words * codeShare,
      coverage * codeShare,
      length * codeShare,
      cosineBehind * codeShare,
      wordsBehind * codeShare,
    ];
  });
}
