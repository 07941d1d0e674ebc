export type HookOptions = {
  readonly event: string;
  readonly agent: string | undefined;
  /** Print the settings of this agent instead of running anything. */
  readonly print: string | undefined;
  readonly home: string | undefined;
  readonly socket: string | undefined;
};

const valued = new Set(['--agent', '--print', '--home', '--socket', '--server', '--token']);

/** Reads `hook EVENT [--agent NAME]` and the global flags; what it does not know it passes over, because a hook must not fail. */
export function readHookOptions(argv: readonly string[]): HookOptions {
  const words: string[] = [];
  const flags = new Map<string, string>();
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    const [name = '', inline] = word.split(/=(.*)/s);
    if (!word.startsWith('-')) words.push(word);
    else if (inline !== undefined) flags.set(name, inline);
    else if (valued.has(name)) {
      at += 1;
      flags.set(name, argv[at] ?? '');
    }
  }
  const given = (name: string): string | undefined => flags.get(name) || undefined;
  return {
    event: words[1] ?? '',
    agent: given('--agent'),
    print: given('--print'),
    home: given('--home'),
    socket: given('--socket'),
  };
}
