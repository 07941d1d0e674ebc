// Silence is the default of a hook: a prompt that fits nothing must get nothing, though there is always a best hit. What tells the two
// apart is the raw cosine of the hit, a property of the model, measured with `npm run eval -- silence` (500 questions of another world
// against stores of developers' memories). Relevance within one query cannot: its best hit is always far above its own noise.
import { mapThreshold } from '#daemon/retrieval/map-threshold.ts';
import type { RetrievedHit } from '#daemon/retrieval/retrieve.ts';
import type { NoiseLevel } from '#daemon/storage/search-types.ts';

/** Least cosine of a relevant hit by model, each with its query prefix; a part of the model's id. */
const measuredFloors: readonly (readonly [model: string, floor: number])[] = [
  ['bge-small-en-v1.5', 0.65],
  ['all-minilm-l6-v2', 0.28],
  ['e5-small', 0.83],
];

/** So far below the floor a hit is lifted by words: it holds this share of the prompt's weight in words. */
const lift = { below: 0.06, coverage: 0.45 };
/** A memory of another project must be this much nearer: a share of the way from the floor to 1. */
const abroad = 0.12;
/** Without a model only words tell, and they must tell nearly all. */
const coverageWithoutModel = 0.6;

/** The floor of a model: measured, or where nobody has measured it the bundled model's, mapped by the store's own noise. */
export function floorOf(modelId: string, noise: NoiseLevel | null, setting: number | null): number {
  if (setting !== null) return setting;
  const id = modelId.toLowerCase();
  const measured = measuredFloors.find(([model]) => id.includes(model));
  if (measured !== undefined) return measured[1];
  const [, bundled] = measuredFloors[0] as readonly [string, number];
  return noise === null ? bundled : mapThreshold(bundled, modelId, noise);
}

/** Whether a hit may be put before an agent that did not ask for it. */
export function isRelevant(
  { similarity, coverage }: Pick<RetrievedHit, 'similarity' | 'coverage'>,
  floor: number,
  isAbroad: boolean,
): boolean {
  const least = isAbroad ? floor + (1 - floor) * abroad : floor;
  if (similarity === null) return !isAbroad && coverage >= coverageWithoutModel;
  if (similarity >= least) return true;
  return similarity >= least - lift.below && coverage >= lift.coverage;
}
