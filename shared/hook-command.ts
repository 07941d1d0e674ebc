// The command that an agent's settings hold for a hook. Agents hand it to a shell, and a home may be named `My Home $(x) 'q'`: every word
// is quoted so that a shell takes it as it stands.

export type HookCommand = {
  /** Absolute path of the node that runs it. */
  readonly node: string;
  /** Absolute path of `loci.cjs`. */
  readonly program: string;
  readonly event: string;
  readonly agent: string;
  /** Where Loci's home is not the usual one. */
  readonly home?: string | undefined;
  /** Where the socket is not the usual one of that home. */
  readonly socket?: string | undefined;
};

export function hookArguments({ node, program, event, agent, home, socket }: HookCommand): string[] {
  const place = [
    ...(home === undefined ? [] : ['--home', home]),
    ...(socket === undefined ? [] : ['--socket', socket]),
  ];
  return [node, program, 'hook', event, '--agent', agent, ...place];
}

/** The same as one line for `sh -c`. */
export function hookCommandLine(command: HookCommand): string {
  return hookArguments(command).map(quoted).join(' ');
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
