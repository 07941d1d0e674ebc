// Whether a find is worth telling to someone who did not ask. A search always has a best hit; most prompts have no right one, and a memory that
// has nothing to do with the prompt is worse than none. How far a hit stands above the others says nothing about that (a floor on it kept
// 42 % of the right finds); how near it is to the query does. A memory that holds what the prompt is about, by its own word, may be less near;
// one that shares but `python` and `list` with it may not.
// Measured with `npm run eval -- silence`: silent on 97 % of unrelated prompts and on all nonsense, 94 % of the right finds told.
import { queryWords } from '#daemon/storage/keyword-index.ts';
import type { NoiseLevel } from '#daemon/storage/search-types.ts';
import { genericWords } from './generic-words.ts';
import { mapThreshold } from './map-threshold.ts';
import type { RetrievedHit } from './retrieve.ts';

/** Least cosine of a relevant hit by model, each with its query prefix; the name is a part of the model's id. */
const measuredFloors: readonly (readonly [model: string, floor: number])[] = [
  ['bge-small-en-v1.5', 0.67],
  ['all-minilm-l6-v2', 0.28],
  ['e5-small', 0.83],
];

/** How far below the floor words may lift a hit: so much of the way down to the noise, for so many telling words and such a share of them. */
const lifts = [
  { words: 1, share: 0.6, way: 0.4 },
  { words: 2, share: 0.3, way: 0.5 },
] as const;
/** The way from floor to noise, kept within what was seen. A scope of a few rows has no level of its own: there it is the usual one. */
const shortestWay = 0.1;
const usualWay = 0.18;
const longestWay = 0.25;
const fewRows = 50;
/** A prompt without a telling word must be so much nearer. */
const nothingTelling = 0.02;
/** What belongs elsewhere (another project) must be nearer: by this share of the way from the floor to 1. */
const elsewhere = 0.12;
/** Without a model only words tell, and they must tell nearly all. */
const shareWithoutModel = 0.6;

/** What a prompt demands of a hit. */
export type Demand = {
  /** The words of the prompt that name a subject, lower case. */
  readonly telling: ReadonlySet<string>;
  /** Least cosine of a relevant hit. */
  readonly floor: number;
  /** From the floor down to the noise. */
  readonly way: number;
};

export type Evidence = {
  readonly similarity: RetrievedHit['similarity'];
  /** Words of the prompt that the text holds: `explain.words`. */
  readonly words: readonly string[];
};

/** `noise` is the query's level as the search found it; `setting` a floor of the user's own, null for the model's. */
export function demandOf(text: string, modelId: string, noise: NoiseLevel | null, setting: number | null): Demand {
  const words = queryWords(text).map(({ word }) => word);
  const telling = new Set(words.filter((word) => word.length > 1 && !genericWords.has(word) && !/^\d+$/.test(word)));
  const floor = setting ?? floorOf(modelId, noise);
  const way =
    noise === null || noise.rows < fewRows ? usualWay : Math.max(shortestWay, Math.min(longestWay, floor - noise.mean));
  return { telling, floor, way };
}

/** Measured, or where nobody has measured the model the bundled one's, mapped by the store's own noise. */
function floorOf(modelId: string, noise: NoiseLevel | null): number {
  const id = modelId.toLowerCase();
  const measured = measuredFloors.find(([model]) => id.includes(model));
  if (measured !== undefined) return measured[1];
  const [, bundled] = measuredFloors[0] as readonly [string, number];
  return noise === null ? bundled : mapThreshold(bundled, modelId, noise);
}

/** Whether a hit may be put before someone who did not ask for it. */
export function isWorthTelling({ similarity, words }: Evidence, demand: Demand, isElsewhere = false): boolean {
  const { telling, floor, way } = demand;
  const held = words.filter((word) => telling.has(word)).length;
  const share = telling.size === 0 ? 0 : held / telling.size;
  if (similarity === null) return !isElsewhere && held > 0 && share >= shareWithoutModel;
  const least = isElsewhere ? floor + (1 - floor) * elsewhere : floor;
  if (telling.size === 0) return similarity >= least + nothingTelling;
  if (similarity >= least) return true;
  return lifts.some((lift) => held >= lift.words && share >= lift.share && similarity >= least - lift.way * way);
}
