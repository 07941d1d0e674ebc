// Silence is the default of a hook: a prompt that fits nothing must get nothing, though there is always a best hit. What tells the two apart
// is the raw cosine of the hit, a property of the model, measured with `npm run eval -- silence` (500 questions of another world against
// stores of developers' memories). Relevance within one query cannot: its best hit is always far above its own noise.
// A memory that holds what the prompt is about, by its own word, may be less near; one that shares but `python` and `list` may not.
import { mapThreshold } from '#daemon/retrieval/map-threshold.ts';
import type { RetrievedHit } from '#daemon/retrieval/retrieve.ts';
import { queryWords } from '#daemon/storage/keyword-index.ts';
import type { NoiseLevel } from '#daemon/storage/search-types.ts';
import { genericWords } from './generic-words.ts';

/** Least cosine of a relevant hit by model, each with its query prefix; the name is a part of the model's id. */
const measuredFloors: readonly (readonly [model: string, floor: number])[] = [
  ['bge-small-en-v1.5', 0.67],
  ['all-minilm-l6-v2', 0.28],
  ['e5-small', 0.83],
];

/** How far below the floor words may lift a hit: a share of the way from the floor down to the noise, for so many telling words of the prompt. */
const lifts = [
  { words: 1, share: 0.6, way: 0.4 },
  { words: 2, share: 0.3, way: 0.5 },
] as const;
/** The way from floor to noise, kept within what was seen: a scope of a few rows has no level of its own. */
const shortestWay = 0.1;
const longestWay = 0.25;
/** A prompt without a telling word must be so much nearer. */
const nothingTelling = 0.02;
/** A memory of another project must be this much nearer: a share of the way from the floor to 1. */
const abroad = 0.12;
/** Without a model only words tell, and they must tell nearly all. */
const shareWithoutModel = 0.6;

export type Prompt = {
  /** The words of a prompt that name a subject, lower case. */
  readonly telling: ReadonlySet<string>;
  /** Least cosine of a relevant hit. */
  readonly floor: number;
  readonly way: number;
};

/** What a prompt demands of a hit. `setting` is `hooks.floor`; null means calibrated to the model. */
export function promptOf(text: string, modelId: string, noise: NoiseLevel | null, setting: number | null): Prompt {
  const words = queryWords(text).map(({ word }) => word);
  const telling = new Set(words.filter((word) => word.length > 1 && !genericWords.has(word) && !/^\d+$/.test(word)));
  const floor = floorOf(modelId, noise, setting);
  const way = Math.max(shortestWay, Math.min(longestWay, floor - (noise?.mean ?? floor)));
  return { telling, floor, way };
}

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
export function isRelevant(hit: RetrievedHit, prompt: Prompt, isAbroad: boolean): boolean {
  const { telling, floor, way } = prompt;
  const held = (hit.explain?.words ?? []).filter((word) => telling.has(word)).length;
  const share = telling.size === 0 ? 0 : held / telling.size;
  if (hit.similarity === null) return !isAbroad && held > 0 && share >= shareWithoutModel;
  const least = isAbroad ? floor + (1 - floor) * abroad : floor;
  if (telling.size === 0) return hit.similarity >= least + nothingTelling;
  if (hit.similarity >= least) return true;
  return lifts.some(
    (lift) => held >= lift.words && share >= lift.share && (hit.similarity ?? 0) >= least - lift.way * way,
  );
}
