export type HookOptions = {
  readonly event: string;
  readonly agent: string | undefined;
  readonly home: string | undefined;
  readonly socket: string | undefined;
};

const valued = new Set(['--agent', '--home', '--socket', '--server', '--token']);

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
  return { event: words[1] ?? '', agent: given('--agent'), home: given('--home'), socket: given('--socket') };
}
