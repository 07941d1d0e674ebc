// The sixteen numbers the fitted fusion knows of a candidate. All of them exist for any memory, and none depends on the size of a score alone:
// levels are taken against the scope's noise, distances against the best of the query. Turns of a transcript get seven more (transcript-features.ts).
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

/** A text of this many words is long enough: more make it no likelier to hold the answer. */
const longEnough = Math.log(60);

/** A row of numbers for each candidate, in the order of `featureNames`. */
export function featuresOfCandidates(candidates: Candidates): number[][] {
  const { list, rows, keywordNoise } = candidates;
  const noise = candidates.cosineNoise ?? { mean: 0, deviation: 0 };
  let bestCosine = noise.mean;
  let bestScore = 0;
  let codeTexts = 0;
  for (const { similarity, keyword, features } of list) {
    if (similarity !== null && similarity > bestCosine) bestCosine = similarity;
    if (keyword !== null && keyword.score > bestScore) bestScore = keyword.score;
    if (features.code) codeTexts += 1;
  }
  const codeShare = list.length === 0 ? 0 : codeTexts / list.length;
  const largestIdf = Math.log(rows + 1);

  return list.map(({ similarity, keyword, features }) => {
    const score = keyword?.score ?? 0;
    const cosine = standardised(similarity ?? noise.mean, noise);
    const words = standardised(score, keywordNoise);
    const coverage = keyword?.coverage ?? 0;
    const length = Math.min(1, Math.log(1 + features.words) / longEnough);
    const cosineBehind = standardised(bestCosine, noise) - cosine;
    const wordsBehind = bestScore > 0 ? 1 - score / bestScore : 0;
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
