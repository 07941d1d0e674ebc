// "The audit worker reads the profile queue" and "the profile worker reads the audit queue" are one vector to a model (cosine .96) and two facts to
// a team. Of 1,000 different notes over a small common vocabulary the cosine alone would merge one in ten, and search would no longer find what
// each of them said. So two texts are one memory only where the one names every subject word that the other names, in the same company:
// words may be added, inflected, moved with their neighbours, or carry no subject ("our", "every"). What says it in other words stays a memory of
// its own, reported as `possible_conflict`.
import { stopWords } from '#daemon/storage/keywords/stop-words.ts';
import { normalised, spaced } from '#daemon/storage/keywords/words.ts';
import type { MemoryDraft } from '../memory.ts';

/** The subject of what a memory states, and that of its title where it was given one; labels and context are about the statement. */
export type Subjects = { readonly title: Subject | null; readonly statement: Subject };

export function subjectsOf({ title, content, problem, solution }: MemoryDraft): Subjects {
  const statement = [content, problem, solution].filter((text) => text !== null).join('\n');
  return { title: title === null ? null : subjectOf(title), statement: subjectOf(statement) };
}

/** Whether two memories may be one statement. */
export function stateTheSame(a: Subjects, b: Subjects): boolean {
  if (a.title !== null && b.title !== null && !nameTheSame(a.title, b.title)) return false;
  return nameTheSame(a.statement, b.statement);
}

/** What a text is about: how often it names each word, and beside which others it stands with nothing between them. */
type Subject = {
  readonly counts: ReadonlyMap<string, number>;
  readonly neighbours: ReadonlyMap<string, ReadonlySet<string>>;
};

/** "Plan A" and "plan B": a capital that stands alone within a sentence is a name, though its letter is a word without a subject. */
const loneCapital = /(?<=[^.!?\s]\s)([A-HJ-Z])(?![\p{L}\p{N}'’])/gu;
const phraseEnd = /[^\p{L}\p{N}\p{M}\s]+|\n/u;
const word = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

export function subjectOf(text: string): Subject {
  const counts = new Map<string, number>();
  const neighbours = new Map<string, Set<string>>();
  const named = normalised(text).replace(loneCapital, '$1$1$1');
  for (const phrase of spaced(named).toLowerCase().split(phraseEnd)) {
    let last: string | null = null;
    for (const [found] of phrase.matchAll(word)) {
      const name: string | null = stopWords.has(found) ? null : stem(found);
      if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
      if (name !== null && last !== null) meet(neighbours, last, name);
      last = name;
    }
  }
  return { counts, neighbours };
}

function meet(neighbours: Map<string, Set<string>>, a: string, b: string): void {
  neighbours.set(a, (neighbours.get(a) ?? new Set()).add(b));
  neighbours.set(b, (neighbours.get(b) ?? new Set()).add(a));
}

export function nameTheSame(a: Subject, b: Subject): boolean {
  if (!names(a, b) && !names(b, a)) return false;
  for (const [name, beside] of a.neighbours) {
    const others = b.neighbours.get(name);
    if (others !== undefined && !isWithin(beside, others) && !isWithin(others, beside)) return false;
  }
  return true;
}

function names(whole: Subject, part: Subject): boolean {
  return [...part.counts].every(([name, count]) => (whole.counts.get(name) ?? 0) >= count);
}

function isWithin(part: ReadonlySet<string>, whole: ReadonlySet<string>): boolean {
  return [...part].every((name) => whole.has(name));
}

/** English plurals and tenses brought together: `processing`, `processes` and `processed` give `proces`, `stored` and `store` give `stor`. */
function stem(found: string): string {
  if (found.length < 4) return found;
  const base = found
    .replace(/ies$/, 'y')
    .replace(/(?<=ss|sh|ch|x|z)es$/, '')
    .replace(/(?<=[^su])s$/, '')
    .replace(/(?<=\p{L}{3})ied$/u, 'y')
    .replace(/(?<=\p{L}{3})(?:ing|ed)$/u, '');
  return base.replace(/(\p{L})\1$/u, '$1').replace(/(?<=\p{L}{3})e$/u, '');
}
