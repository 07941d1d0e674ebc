// What ranking knows of a text besides its words and its vector. Computed once when the text is indexed and kept as JSON beside it,
// because a search could not read hundreds of texts in the two milliseconds it has.
import { normalised, plainWords, unspacedRuns } from './words.ts';

export type TextFeatures = {
  /** How many words the text has. */
  readonly words: number;
  /** It ends in a question mark. */
  readonly question: boolean;
  /** It looks like source code. */
  readonly code: boolean;
  /** Who said it, lower case; absent where that is not known. */
  readonly author?: string;
  /** Its order in its session; absent outside a session. */
  readonly sequence?: number;
};

/** A thing's features as a search gets them: with the session it belongs to. */
export type HitFeatures = TextFeatures & { readonly session: string | null };

export function featuresOf(thing: {
  readonly text: string;
  readonly author?: string | null;
  readonly sequence?: number | null;
}): TextFeatures {
  const text = normalised(thing.text);
  const words = plainWords(text).length + unspacedRuns(text).reduce((sum, run) => sum + run.length, 0);
  const author =
    thing.author === undefined || thing.author === null ? '' : normalised(thing.author).trim().toLowerCase();
  return {
    words,
    question: /\?["'”’)\]]*\s*$/u.test(text),
    code: looksLikeCode(text),
    ...(author === '' ? {} : { author }),
    ...(thing.sequence === undefined || thing.sequence === null ? {} : { sequence: thing.sequence }),
  };
}

/** Reads the stored JSON back; a damaged or older value gives the features of an empty text. */
export function hitFeaturesOf(json: string, session: string | null): HitFeatures {
  try {
    const read = JSON.parse(json) as Partial<TextFeatures>;
    return {
      words: typeof read.words === 'number' ? read.words : 0,
      question: read.question === true,
      code: read.code === true,
      session,
      ...(typeof read.author === 'string' ? { author: read.author } : {}),
      ...(typeof read.sequence === 'number' ? { sequence: read.sequence } : {}),
    };
  } catch {
    return { words: 0, question: false, code: false, session };
  }
}

const declaration =
  /^\s*(def \w|class \w|async def \w|(export )?(async )?(function|const|let|interface) |import [\w{*]|from \S+ import |var \w|(public|private|static|protected) |fn \w|func |package \w+;?$|struct \w|#include|SELECT .* FROM |CREATE |@\w+)/;
const statement =
  /[;{}]\s*$|^\s*(return|if|for|while|elif|else|try|except|raise|with)\b.*[:({]\s*$|^\s*return\b|\w\(.*\)\s*:?\s*$|\s[=!+]?=\s|=>|->/;

/** Code begins with a declaration, or has declarations and statements in a good share of its lines. */
function looksLikeCode(text: string): boolean {
  if (!/[(){};=]/.test(text)) return false;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const [first = ''] = lines;
  if (declaration.test(first) && (lines.length > 1 ? first.includes('(') : /[;{})]\s*$/.test(first))) return true;
  // a single line of prose may well say `a = b`
  if (lines.length === 1) return false;
  const telling = lines.filter((line) => declaration.test(line) || statement.test(line)).length;
  return telling / lines.length >= 0.4;
}
