// What a prompt pays for the hook: the time from its spawn to its exit, against the time that an empty `node` takes, with the daemon well and
// with the daemon stopped in its tracks.
import { spawn } from 'node:child_process';
import { clientEnvironment, program } from './processes/program.ts';

export type HookRun = {
  /** Milliseconds from spawn to exit. */
  readonly ms: number;
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

/** The bars: a hook may take four times an empty node, and with a daemon that hangs 99 of 100 end within a second. */
export const hookBars = { timeRatio: 4, stoppedP99Ms: 1_000 } as const;

/** Runs `loci hook EVENT` once, as Claude Code does, with `input` on stdin. */
export function runHookOnce(home: string, event: string, input: Readonly<Record<string, unknown>>): Promise<HookRun> {
  return new Promise((resolve, reject) => {
    const startedMs = performance.now();
    const child = spawn(process.execPath, [program('loci'), 'hook', event], {
      env: { ...clientEnvironment(home), LOCI_NO_AUTOSTART: '1' },
      cwd: '/',
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(JSON.stringify(input));
    child.on('error', reject);
    let ms = 0;
    child.on('exit', () => {
      ms = performance.now() - startedMs;
    });
    child.on('close', (code) => resolve({ ms, code, stdout, stderr }));
  });
}

/** What Claude Code sends with a prompt. */
export function promptInput(prompt: string, session: string): Record<string, unknown> {
  return {
    session_id: session,
    transcript_path: '/nowhere/session.jsonl',
    cwd: '/',
    permission_mode: 'default',
    hook_event_name: 'UserPromptSubmit',
    prompt,
  };
}
