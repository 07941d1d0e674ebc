#!/usr/bin/env node
// The executable `loci`. Agents start `loci mcp` for every session and hooks for every prompt, so those must not read the CLI's code.
// It is built as ONE CommonJS file: the loader of ES modules and a second file would cost a quarter of the time of an empty `node`.

/** A module of its own, not of this bundle. */
const cli = './cli.js';
const valued = new Set(['--home', '--socket', '--server', '--token']);

/** The first word that is no global flag nor the value of one. */
function commandOf(argv: readonly string[]): string | undefined {
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    if (!word.startsWith('-')) return word;
    if (valued.has(word)) at += 1;
  }
  return undefined;
}

const argv = process.argv.slice(2);
const wantsHelp = argv.some((word) => word === '--help' || word === '-h');
const command = wantsHelp ? undefined : commandOf(argv);
if (command === 'mcp') void import('#clients/mcp-shim/main.ts');
else if (command === 'hook') void import('#clients/hooks/main.ts');
else void import(cli);
