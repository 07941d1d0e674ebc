import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './source-tree.ts';

export type ProgramRun = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

export type ProgramOptions = {
  readonly env?: NodeJS.ProcessEnv;
  readonly stdin?: string;
  readonly cwd?: string;
  /** Sends SIGINT as soon as stdout or stderr says this. */
  readonly interruptAt?: RegExp;
  /** Gets what it has said so far on stderr, each time it says more. */
  readonly onStderr?: (text: string) => void;
};

/** The environment of a test's processes: nothing of the machine's own Loci, and no daemon starts by itself unless asked to. */
export function programEnv(home: string, extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const { PATH, TMPDIR } = process.env;
  return {
    PATH,
    ...(TMPDIR === undefined ? {} : { TMPDIR }),
    HOME: home,
    LOCI_HOME: home,
    LOCI_NO_AUTOSTART: '1',
    ...extra,
  };
}

/** Runs the built `loci` as a process of its own. */
export function runLoci(args: readonly string[], options: ProgramOptions = {}): Promise<ProgramRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, 'dist/loci.cjs'), ...args], {
      env: options.env ?? {},
      cwd: options.cwd,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    let isInterrupted = false;
    const look = (): void => {
      if (isInterrupted || options.interruptAt?.test(stdout + stderr) !== true) return;
      isInterrupted = true;
      child.kill('SIGINT');
    };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      look();
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      options.onStderr?.(stderr);
      look();
    });
    child.stdin.on('error', () => undefined); // it may end before it has read everything
    child.stdin.end(options.stdin ?? '');
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
