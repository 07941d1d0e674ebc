import { relative, sep } from 'node:path';

/** A piece of a file, with where it stands. */
export type PlacedText = {
  readonly text: string;
  /** Below its workspace folder, with `/`; null for what is no file of one. */
  readonly path: string | null;
  /** `line 4`, `lines 4–9`. */
  readonly lines: string;
  readonly language: string;
};

/** Lines count from 0, as the editor counts them. */
export function placeText(piece: {
  readonly text: string;
  readonly file: string;
  readonly folder: string | null;
  readonly firstLine: number;
  readonly lastLine: number;
  readonly language: string;
}): PlacedText {
  const { text, file, folder, firstLine, lastLine, language } = piece;
  const lines = firstLine === lastLine ? `line ${firstLine + 1}` : `lines ${firstLine + 1}–${lastLine + 1}`;
  return { text, path: pathBelow(folder, file), lines, language };
}

/** The file below the folder, with `/`; null where it is elsewhere: a path of this machine alone is of no use to others. */
export function pathBelow(folder: string | null, file: string): string | null {
  if (folder === null) return null;
  const path = relative(folder, file).split(sep).join('/');
  return path === '' || path.startsWith('..') ? null : path;
}
