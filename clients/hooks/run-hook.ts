// Runs one hook. An agent waits for it, so: exit 0 always; stdout empty or one JSON document; one line on stderr when something failed;
// and an end within the deadline, whatever the daemon, the disk or stdin do. A hook waits for no daemon that is not there: it starts
// one for the next time and goes.
import { writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readCard } from '#clients/connect/daemon-card.ts';
import { findSocket } from '#clients/connect/find-daemon.ts';
import { createWire, isNobodyThere } from '#clients/connect/wire.ts';
import { hookSettings, printableAgents } from '#shared/hook-settings.ts';
import { type LociPaths, resolvePaths } from '#shared/paths.ts';
import type { HookEvent, HookTools } from './hook-event.ts';
import { type HookInput, readHookInput } from './hook-input.ts';
import { logHook } from './hook-log.ts';
import { hookOutput } from './hook-output.ts';

import { leaveEntry } from './leave-entry.ts';
import { noteSighting } from './note-sighting.ts';
import { type HookOptions, readHookOptions } from './options.ts';
import { postToolUse } from './post-tool-use.ts';
import { readStdin } from './read-stdin.ts';
import { sessionEnd } from './session-end.ts';
import { sessionStart } from './session-start.ts';
import { userPrompt } from './user-prompt.ts';

const events: Readonly<Record<string, HookEvent>> = {
  'session-start': sessionStart,
  'user-prompt': userPrompt,
  'post-tool-use': postToolUse,
  'session-end': sessionEnd,
  'pre-compact': sessionEnd,
};

/** Set for whatever a hook starts: a hook below it does nothing, so that no agent's end ends another for ever. */
const guardName = 'LOCI_IN_HOOK';
const defaultDeadlineMs = 300;
/** From the start of the process to its end, whatever the setting says (contract, rule 9); what is left is for the end itself. */
const wholeTimeMs = 900;

export async function runHook(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const options = readHookOptions(argv);
  if (options.print !== undefined) return printSettings(options.print, options.home);
  const paths = resolvePaths(env, options);
  const event = events[options.event];
  const problem = (text: string): void => end('', problemOf(options, paths, text));
  process.on('uncaughtException', (error) => problem(error.message));
  process.on('unhandledRejection', (error) => problem(error instanceof Error ? error.message : String(error)));
  if (event === undefined)
    return problem(`there is no hook "${options.event}"; there are ${Object.keys(events).join(', ')}`);
  if (env[guardName]) return problem('started by a hook, so it does nothing');

  const timeMs = timeFor(env, paths);
  const endMs = performance.now() + timeMs;
  setTimeout(() => problem(event.unansweredMeans ?? `no answer within ${Math.round(timeMs)} ms`), timeMs);
  try {
    const input = readHookInput(await readStdin(process.stdin), options.agent, env);
    noteSighting(paths.state, input.agent, options.event);
    const context = await event.handle(
      input,
      toolsFor(input, paths, () => endMs - performance.now()),
    );
    end(hookOutput(options.event, input, context), null);
  } catch (error) {
    const isAbsent = isNobodyThere(error);
    if (isAbsent) await startForNextTime(paths, env);
    const said = isAbsent ? 'no daemon answers' : error instanceof Error ? error.message : String(error);
    problem(isAbsent && event.unansweredMeans !== undefined ? event.unansweredMeans : said);
  }
}

function toolsFor({ agent, folder }: HookInput, paths: LociPaths, leftMs: () => number): HookTools {
  const wire = createWire();
  return {
    leftMs,
    leave: (entry) => leaveEntry(paths.spool, entry),
    async ask(operation, input) {
      const { status, body } = await wire.send(
        { kind: 'socket', path: findSocket(paths) },
        {
          method: 'POST',
          path: `/operations/${operation}`,
          headers: {
            'loci-agent': encodeURIComponent(agent.slice(0, 100).toWellFormed()),
            ...(folder === null ? {} : { 'loci-folder': encodeURIComponent(folder.toWellFormed()) }),
          },
          body: JSON.stringify(input),
          timeoutMs: 60_000, // the hook's own deadline comes first
        },
      );
      const answer = JSON.parse(body) as Record<string, unknown>;
      if (status >= 400)
        throw new Error(typeof answer.message === 'string' ? answer.message : `the daemon answered ${status}`);
      return answer;
    },
  };
}

/** Milliseconds from now: the daemon's setting, from its card, because there is no time to read the settings file; less where the start took long. */
function timeFor(env: NodeJS.ProcessEnv, paths: LociPaths): number {
  const fromEnv = Number(env.LOCI_HOOKS_DEADLINE_MS);
  const setting = fromEnv >= 50 ? fromEnv : (readCard(paths.card)?.hook_deadline_ms ?? defaultDeadlineMs);
  return Math.max(20, Math.min(setting, wholeTimeMs - performance.now()));
}

async function startForNextTime(paths: LociPaths, env: NodeJS.ProcessEnv): Promise<void> {
  const { spawnDaemon } = await import('#clients/connect/spawn-daemon.ts'); // seldom needed, and dear to load
  spawnDaemon({ paths, env: { ...env, [guardName]: '1' }, program: join(import.meta.dirname, 'locid.js') });
}

function problemOf({ event }: HookOptions, paths: LociPaths, text: string): string {
  const line = text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').slice(0, 300);
  logHook(join(dirname(paths.log), 'hooks.log'), { pid: process.pid, event, problem: line });
  return `loci hook ${event}: ${line}\n`.replace(/ {2,}/g, ' ');
}

function printSettings(agent: string, home: string | undefined): void {
  const program = join(import.meta.dirname, 'loci.cjs');
  const settings = hookSettings(agent, { node: process.execPath, program, home });
  if (settings === null) {
    write(2, `error: there are no settings for "${agent}"; there are some for ${printableAgents.join(', ')}\n`);
    process.exit(2);
  }
  write(1, `${JSON.stringify(settings, null, 2)}\n`);
}

/** The one way out of a hook. */
function end(output: string, problem: string | null): never {
  write(1, output === '' ? '' : `${output}\n`);
  write(2, problem ?? '');
  process.exit(0);
}

function write(descriptor: number, text: string): void {
  try {
    if (text !== '') writeSync(descriptor, text);
  } catch {
    // the agent no longer listens
  }
}
