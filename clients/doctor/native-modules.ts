// Native modules fit the Node that they were installed with and no other: "Module did not self-register" is all that another one says. The
// daemon is started with the Node that it recorded, so that is the one that must load them.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readCard } from '#clients/connect/daemon-card.ts';
import { broken, type Check, type Finding, notice, ok } from './check.ts';
import { shellWord } from './shell-word.ts';
import { poorEnvironment } from './start-server.ts';

/** Loads each as the daemon does and prints what failed; runs in the package's folder, by `node -e`. */
const probe = `
const { createRequire } = require('node:module');
const here = createRequire(process.argv[1] + '/package.json');
const failed = {};
const load = (name, use) => { try { use(name); } catch (error) { failed[name] = error.code + ' ' + error.message; } };
load('better-sqlite3', (name) => new (here(name))(':memory:').close());
load('@lancedb/lancedb', (name) => here(name));
load('onnxruntime-node', (name) => createRequire(here.resolve('@huggingface/transformers'))(name));
process.stdout.write(JSON.stringify({ version: process.version, abi: process.versions.modules, failed }));
`;

const timeoutMs = 20_000;

type Loaded = { readonly version: string; readonly abi: string; readonly failed: Readonly<Record<string, string>> };

export const nativeModules: Check = {
  about: 'native modules',
  async run({ paths, program, env }) {
    const root = join(dirname(program), '..');
    const recorded = readCard(paths.card)?.node_path;
    const isGone = recorded !== undefined && !existsSync(recorded);
    const node = recorded === undefined || isGone ? process.execPath : recorded;
    const findings: Finding[] = isGone
      ? [
          notice(
            'node',
            `The Node that the daemon last ran with, ${recorded}, is gone; this one will be used.`,
            'loci restart',
          ),
        ]
      : [];
    const loaded = await loadWith(node, root, poorEnvironment(env)); // a NODE_OPTIONS of the shell does not reach the daemon either
    if (loaded === null) {
      return [...findings, broken('native modules', `${node} does not run.`, 'loci restart')];
    }
    const names = Object.keys(loaded.failed);
    if (names.length === 0) {
      return [...findings, ok('native modules', `load in Node ${loaded.version} (ABI ${loaded.abi})`)];
    }
    const says = `${names.join(', ')} cannot be loaded by Node ${loaded.version} (ABI ${loaded.abi}): ${reasonOf(loaded)}`;
    return [...findings, broken('native modules', says, rebuildCommand(node, root))];
  },
};

function loadWith(node: string, root: string, env: NodeJS.ProcessEnv): Promise<Loaded | null> {
  return new Promise((resolve) => {
    execFile(node, ['-e', probe, root], { cwd: root, env, timeout: timeoutMs }, (_error, stdout) => {
      try {
        resolve(JSON.parse(stdout) as Loaded);
      } catch {
        resolve(null);
      }
    });
  });
}

/** The first line of the first failure tells: built for another Node, or not there. */
function reasonOf({ failed }: Loaded): string {
  const [text = ''] = Object.values(failed);
  const abi = /NODE_MODULE_VERSION (\d+)/.exec(text)?.[1];
  if (abi !== undefined) return `they were built for ABI ${abi}.`;
  return `${(text.split('\n')[0] ?? '').slice(0, 160)}.`;
}

/** npm of the very Node that is to load them, since its ABI is what they are built for. */
function rebuildCommand(node: string, root: string): string {
  return `PATH=${shellWord(dirname(node))}:$PATH npm rebuild --prefix ${shellWord(root)}`;
}
