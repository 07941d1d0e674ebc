import { type Command, Option } from 'commander';

/** The flags that every command takes. */
export type GlobalOptions = {
  readonly json?: boolean;
  readonly home?: string;
  readonly socket?: string;
  readonly server?: string;
  readonly token?: string;
  readonly local?: boolean;
  readonly quiet?: boolean;
  /** False with `--no-color`; commander's own default is true. */
  readonly color?: boolean;
};

/** Flags and meaning of each. */
export const globalOptionRows = [
  ['--json', 'print the answer as one JSON document'],
  ['--home <dir>', 'folder that holds everything (LOCI_HOME)'],
  ['--socket <path>', 'Unix socket of the daemon (LOCI_SOCKET)'],
  ['--server <url>', 'talk to a daemon elsewhere (LOCI_SERVER)'],
  ['--token <token>', 'token for --server (better: LOCI_TOKEN)'],
  ['--local', 'ignore LOCI_SERVER and talk to the daemon here'],
  ['--quiet', 'print no notices'],
  ['--no-color', 'print no colours (NO_COLOR)'],
] as const;

/**
 * Adds the global flags to a command: every command has them, since `loci search x --json` and `loci --json search x` both come
 * naturally. They are shown once, by `loci --help`.
 */
export function addGlobalOptions(command: Command): Command {
  for (const [flags, description] of globalOptionRows) command.addOption(new Option(flags, description).hideHelp());
  return command.helpOption('-h, --help', 'show this help');
}

/** The lines of `loci --help` about them. */
export function globalFlagsText(): string {
  const all = [
    ...globalOptionRows,
    ['--version', 'print the version'],
    ['-h, --help', 'show help; also `loci help <command>`'],
  ] as const;
  const width = Math.max(...all.map(([flags]) => flags.length));
  return all.map(([flags, description]) => `  ${flags.padEnd(width)}  ${description}`).join('\n');
}

/** What was given before the command or after it; after it wins. */
export function globalOptionsOf(command: Command): GlobalOptions {
  const chain: Command[] = [];
  for (let at: Command | null = command; at !== null; at = at.parent) chain.unshift(at);
  const given = chain.flatMap((one) =>
    Object.entries(one.opts()).filter(([name]) => one.getOptionValueSource(name) === 'cli' && isGlobal(name)),
  );
  return Object.fromEntries(given) as GlobalOptions;
}

/** The flag names without dashes, which no contract may use for a field. */
export const globalNames: readonly string[] = globalOptionRows.map(([flags]) =>
  flags.replace(/^--(no-)?/, '').replace(/ .*/, ''),
);

function isGlobal(name: string): boolean {
  return globalNames.includes(name);
}
