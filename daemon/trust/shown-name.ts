// Names stand beside what is quoted, in our own words: of a project, which a file of any repository may give, and of a client or an author,
// which say themselves who they are. A name that speaks to the reader is left out; any other is one line and cannot close its quotes.
import { suspicionsOf, withoutInvisible } from './suspicious-text.ts';

const maxLength = 100;

/** The name as it may stand in a line of ours, at most 100 characters. */
export function shownName(name: string): string {
  const line = withoutInvisible(name.toWellFormed())
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .replace(/["<>`]/g, "'")
    .trim();
  // a command hidden behind dashes, dots or underscores is read by a model as one
  const spoken = line.replace(/[-_./:]+/g, ' ');
  if (suspicionsOf(name).length > 0 || suspicionsOf(spoken).length > 0) return '(a name that is held back)';
  return [...line].slice(0, maxLength).join('');
}
