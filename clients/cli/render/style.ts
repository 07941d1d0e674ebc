/** What a renderer knows of where its text goes. */
export type View = {
  readonly style: Style;
  /** Columns of the terminal, or null where stdout is none: then nothing is cut. */
  readonly columns: number | null;
  readonly nowMs: number;
  /** What the operation was called with. */
  readonly input: Readonly<Record<string, unknown>>;
};

export type Style = Readonly<Record<keyof typeof codes, (text: string) => string>>;

const codes = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

/** Paints with ANSI codes, or returns every text as it is. */
export function createStyle(enabled: boolean): Style {
  const paint =
    ([on, off]: readonly [number, number]) =>
    (text: string): string =>
      enabled && text !== '' ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return {
    bold: paint(codes.bold),
    dim: paint(codes.dim),
    red: paint(codes.red),
    green: paint(codes.green),
    yellow: paint(codes.yellow),
    cyan: paint(codes.cyan),
  };
}

/** Colour only where a person sees it: a terminal, no `--no-color`, no `NO_COLOR` (any non-empty value), no `TERM=dumb`. */
export function wantsColour(
  stream: { readonly isTTY?: boolean },
  env: NodeJS.ProcessEnv,
  colourFlag: boolean | undefined,
): boolean {
  if (colourFlag === false || (env.NO_COLOR ?? '') !== '' || env.TERM === 'dumb') return false;
  return stream.isTTY === true;
}
