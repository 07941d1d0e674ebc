import { spawnSync } from 'node:child_process';
import { LociError } from '#shared/errors.ts';

export type ManagerAnswer = { readonly code: number | null; readonly text: string };

const timeoutMs = 30_000;

/** Runs the service manager's own command; `code` is null where the program is missing. */
export function askManager(words: readonly string[], env: NodeJS.ProcessEnv): ManagerAnswer {
  const [program = '', ...args] = words;
  const { status, stdout, stderr, error } = spawnSync(program, args, { env, encoding: 'utf8', timeout: timeoutMs });
  if (error !== undefined) return { code: null, text: error.message };
  return { code: status, text: `${stdout}${stderr}`.trim() };
}

/** The same where a refusal ends the work; throws `unavailable` with what the manager said. */
export function orderManager(words: readonly string[], env: NodeJS.ProcessEnv): void {
  const { code, text } = askManager(words, env);
  if (code === 0) return;
  const said = text.split('\n')[0] ?? '';
  throw new LociError(
    'unavailable',
    `\`${words.join(' ')}\` failed${said === '' ? '' : ` (${said})`}; nothing runs as a service.`,
  );
}
