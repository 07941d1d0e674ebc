// A turn of a conversation is rarely an answer by itself: the question that it answers, the subject of the session and the speaker are in
// the turns around it. So a turn is also judged by its neighbours and its session, as far as they are candidates themselves.
// Worth .08 recall and .07 nDCG on conversations; other things have no neighbours and are a session of their own.
import { normalised, plainWords } from '#daemon/storage/keywords/words.ts';
import type { Candidate, Candidates } from './candidates.ts';
import { standardised } from './noise.ts';

/** In the order of the weights, after those of `featureNames`. */
export const transcriptFeatureNames = [
  'speaker named',
  'session cosine',
  'session coverage',
  'coverage with turn before',
  'coverage with turn after',
  'neighbour cosine',
  'answers a question',
] as const;

type Turn = { readonly cosine: number; readonly matched: number; readonly question: boolean };
type Session = { cosine: number; matched: number };

/** Whether most of the candidates are turns: things with a session and a place in it. */
export function isTranscript({ list }: Candidates): boolean {
  return list.filter(isTurn).length * 2 > list.length;
}

/** A row of numbers for each candidate, in the order of `transcriptFeatureNames`. */
export function transcriptFeaturesOf(candidates: Candidates): number[][] {
  const { list, text, words } = candidates;
  const noise = candidates.cosineNoise ?? { mean: 0, deviation: 0 };
  const turns = list.map(({ similarity, keyword, features }): Turn => {
    const cosine = similarity === null ? 0 : standardised(similarity, noise);
    return { cosine, matched: keyword?.matched ?? 0, question: features.question };
  });
  const places = new Map(list.map((candidate, index) => [placeOf(candidate, 0), turns[index]]));
  const sessions = sessionsOf(list, turns);
  const speakers = speakersNamed(list, text);
  const coverageOf = coverage(words);

  return list.map((candidate, index) => {
    const turn = turns[index] as Turn;
    const own = coverageOf(turn.matched);
    const before = isTurn(candidate) ? places.get(placeOf(candidate, -1)) : undefined;
    const after = isTurn(candidate) ? places.get(placeOf(candidate, 1)) : undefined;
    const session = sessions.get(candidate.features.session ?? '') ?? turn;
    const spoke = candidate.features.author !== undefined && speakers.has(candidate.features.author);
    return [
      speakers.size === 1 && candidate.features.author !== undefined ? (spoke ? 1 : -1) : 0,
      session.cosine,
      coverageOf(session.matched),
      coverageOf(turn.matched | (before?.matched ?? 0)) - own,
      coverageOf(turn.matched | (after?.matched ?? 0)) - own,
      Math.max(before?.cosine ?? 0, after?.cosine ?? 0),
      before?.question === true ? before.cosine : 0,
    ];
  });
}

function isTurn({ features }: Candidate): boolean {
  return features.session !== null && features.sequence !== undefined;
}

/** Names the place `steps` after a turn; things outside a transcript have none that anything else could name. */
function placeOf({ kind, id, features }: Candidate, steps: number): string {
  if (features.session === null || features.sequence === undefined) return `${kind} ${id}`;
  return `${features.sequence + steps} of ${features.session}`;
}

function sessionsOf(list: readonly Candidate[], turns: readonly Turn[]): Map<string, Session> {
  const sessions = new Map<string, Session>();
  for (const [index, candidate] of list.entries()) {
    const { session } = candidate.features;
    if (session === null || !isTurn(candidate)) continue;
    const { cosine, matched } = turns[index] as Turn;
    const known = sessions.get(session);
    if (known === undefined) sessions.set(session, { cosine, matched });
    else {
      known.cosine = Math.max(known.cosine, cosine);
      known.matched |= matched;
    }
  }
  return sessions;
}

/** Authors among the candidates of whose name the query holds a word: bm25 cannot tell, for half of the rows hold it. */
function speakersNamed(list: readonly Candidate[], text: string): Set<string> {
  const asked = new Set(plainWords(normalised(text)));
  const authors = new Set(list.flatMap(({ features }) => features.author ?? []));
  return new Set(
    [...authors].filter((author) => plainWords(author).some((word) => word.length > 1 && asked.has(word))),
  );
}

/** Share of the query's idf that a set of its words has. */
function coverage(words: Candidates['words']): (matched: number) => number {
  const total = words.reduce((sum, { idf }) => sum + idf, 0);
  const known = new Map<number, number>();
  return (matched) => {
    const cached = known.get(matched);
    if (cached !== undefined) return cached;
    const held = words.reduce((sum, { idf }, bit) => ((matched >> bit) & 1 ? sum + idf : sum), 0);
    const share = total === 0 ? 0 : held / total;
    known.set(matched, share);
    return share;
  };
}
