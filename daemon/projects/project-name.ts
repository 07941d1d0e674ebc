// How names of projects are compared. Two spellings of one name must meet in one place: what splits a project
// splits its memories, and nobody finds out until a search misses.
import { LociError } from '#shared/errors.ts';

/** The longest name of a project, in code points; longer ones found in a repository are ignored, never cut. */
export const maxNameLength = 500;

/** NFKC and case folding as far as JavaScript's lower case goes, with the two letters that it leaves apart (ß, ς). */
export function foldName(name: string): string {
  const lower = name.normalize('NFKC').trim().toLowerCase();
  return lower.replaceAll('ß', 'ss').replaceAll('ς', 'σ').normalize('NFKC');
}

/** A name from a repository's own files as it may be used, or null: trimmed, one line, visible, not too long. */
export function cleanName(given: unknown): string | null {
  if (typeof given !== 'string' || !given.isWellFormed()) return null;
  const name = given.trim();
  if (!/[\p{L}\p{N}\p{P}\p{S}]/u.test(name) || /[\p{Cc}\p{Cf}\u2028\u2029\u{E0000}-\u{E007F}]/u.test(name)) return null;
  return [...name].length > maxNameLength ? null : name;
}

/** `not_found` for a project, with the names that are near. */
export function projectNotFound(field: string, name: string, near: readonly string[]): LociError {
  const shown = [...name].slice(0, 100).join('');
  const hint = near.length === 0 ? '' : ` Near names: ${near.join(', ')}.`;
  return new LociError('not_found', `There is no project named "${shown}".${hint}`, {
    [field]: 'no such project',
    near,
  });
}
