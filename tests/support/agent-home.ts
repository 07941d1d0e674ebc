// A person's home with agents in it, and the setup that works on it: files, modes and links as they stand there, so that a test can say
// that they are what they were.
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import {
  type AgentName,
  agents,
  applySetup,
  applyUndo,
  type FileChange,
  type LociProgram,
  type Machine,
  machineOf,
  planSetup,
  planUndo,
} from '#clients/agents/index.ts';
import { root } from './source-tree.ts';
import { tempFolder } from './temp-folder.ts';

export type AgentHome = {
  readonly home: string;
  readonly machine: Machine;
  readonly program: LociProgram;
  /** The folder of ledger and backups. */
  readonly ledger: string;
  setup(names: readonly AgentName[], options?: SetupOptions): FileChange[];
  undo(...names: readonly AgentName[]): FileChange[];
  /** Files in which setup puts something of ours between what is there; own files of ours are none. */
  settingsOf(name: AgentName): string[];
  write(path: string, content: string | Buffer, mode?: number): string;
  read(path: string): string;
  /** Path → mode and bytes, or where a link leads; every file, folder and link of the home. */
  snapshot(): Record<string, string>;
};

export type SetupOptions = {
  readonly hooks?: boolean;
  readonly env?: NodeJS.ProcessEnv;
  readonly program?: Partial<LociProgram>;
  readonly atLast?: (file: string) => void;
};

export function agentHome(name = 'home'): AgentHome {
  const folder = tempFolder();
  const home = join(folder, name);
  mkdirSync(home);
  const ledger = join(folder, 'state', 'setup');
  const program: LociProgram = {
    node: '/opt/node/bin/node',
    script: '/opt/loci/dist/loci.cjs',
    env: { LOCI_HOME: join(folder, 'loci') },
    texts: join(root, 'clients/agents'),
  };
  const machine = machineOf({ HOME: home }, 'linux');
  const at = (path: string): string => join(home, path);
  return {
    home,
    machine,
    program,
    ledger,
    setup(names, { hooks = true, env = {}, program: other = {}, atLast } = {}) {
      const request = {
        machine: machineOf({ HOME: home, ...env }, 'linux'),
        program: { ...program, ...other },
        names,
        hooks,
      };
      return applySetup(ledger, planSetup(ledger, request).changes, atLast);
    },
    undo: (...names) =>
      applyUndo(
        ledger,
        planUndo(ledger, (owner) => names.length === 0 || names.some((one) => one === owner)),
      ),
    settingsOf(agent) {
      const { edits } = agents[agent].plan({ machine, program, hooks: true });
      return [...new Set(edits.filter(({ kind }) => kind !== 'file').map(({ file }) => relative(home, file)))];
    },
    write(path, content, mode = 0o644) {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), content);
      chmodSync(at(path), mode);
      return at(path);
    },
    read: (path) => readFileSync(at(path), 'utf8'),
    snapshot: () => Object.fromEntries(entriesBelow(home).map((path) => [relative(home, path), stateOf(path)])),
  };
}

function entriesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? [path, ...entriesBelow(path)] : [path];
  });
}

function stateOf(path: string): string {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return `link to ${readlinkSync(path)}`;
  if (stat.isDirectory()) return 'folder';
  return `${(stat.mode & 0o7777).toString(8)} ${readFileSync(path).toString('base64')}`;
}
