// Hooks fail in silence: an agent that runs them twice doubles every capture, one that never runs them looks like one with nothing to
// say. So they are counted, each command is tried as a shell would run it, and the last event of each agent is told.
import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import type { FoundHook } from '#clients/agents/index.ts';
import { sightingFile } from '#shared/hook-sightings.ts';
import { agentStates, type KnownAgent, setUp, setupCommand } from './agent-states.ts';
import { broken, type Check, type DoctorDeps, type Finding, notice, ok } from './check.ts';
import { poorEnvironment } from './start-server.ts';

const timeoutMs = 10_000;

export const agentHooks: Check = {
  about: 'hooks',
  async run(deps) {
    const withHooks = agentStates(deps).filter(
      (state) => state.hooks.length > 0 || state.hasPlugin || seenAtMs(agentName(state), deps) !== null,
    );
    return (await Promise.all(withHooks.map((state) => judge(state, deps)))).flat();
  },
};

async function judge(state: KnownAgent, deps: DoctorDeps): Promise<Finding[]> {
  const { name, title, hooks, hasPlugin } = state;
  const about = `${title} hooks`;
  const mend = setupCommand(name);
  const findings: Finding[] = [];
  if (hasPlugin && hooks.length > 0) {
    const says = 'They are installed twice, by its plugin and in its settings: every event is taken twice.';
    findings.push(broken(about, says, `loci setup --undo --agent ${name}`));
  }
  for (const [event, count] of doubles(hooks)) {
    const says = `${event} runs ${count} times: an older version left its own behind.`;
    findings.push(broken(about, says, mend, setUp(deps, name)));
  }
  const failed = await firstFailure(hooks, deps);
  if (failed !== null) findings.push(broken(about, failed, mend, setUp(deps, name)));
  return findings.length > 0 ? findings : [lastSeen(about, agentName(state), deps)];
}

function doubles(hooks: readonly FoundHook[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { event } of hooks) if (event !== '') counts.set(event, (counts.get(event) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > 1);
}

/** Tries each command once with `--help`, which changes nothing and needs all that the hook needs but the daemon. */
async function firstFailure(hooks: readonly FoundHook[], { env }: DoctorDeps): Promise<string | null> {
  const programs = new Map(hooks.map((hook) => [hook.command.replace(/ hook .*$/s, ''), hook]));
  for (const { command, file, event } of programs.values()) {
    const problem = await new Promise<string | null>((resolve) => {
      const options = { env: poorEnvironment(env), timeout: timeoutMs };
      execFile('/bin/sh', ['-c', `${command} --help`], options, (error, _stdout, stderr) => {
        resolve(error === null ? null : (stderr.trim().split('\n')[0] ?? error.message));
      });
    });
    if (problem !== null)
      return `The command of ${event === '' ? 'a hook' : event} in ${file} does not run: ${problem}.`;
  }
  return null;
}

/** The name that an agent's hooks give to `--agent`, which is what its events are filed under. */
function agentName({ name, hooks }: KnownAgent): string {
  return hooks.map(({ command }) => / --agent (\S+)/.exec(command)?.[1]).find((found) => found !== undefined) ?? name;
}

function lastSeen(about: string, agent: string, { paths, nowMs }: DoctorDeps): Finding {
  const seenMs = seenAtMs(agent, { paths });
  if (seenMs === null) return notice(about, 'Installed, and no event came yet: start a session of it.', null);
  return ok(about, `last event ${agoText(nowMs - seenMs)}`);
}

function seenAtMs(agent: string, { paths }: Pick<DoctorDeps, 'paths'>): number | null {
  const file = sightingFile(paths.state, agent);
  return file === null ? null : (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? null);
}

/** `3 days ago`. */
export function agoText(ms: number): string {
  const units: readonly (readonly [string, number])[] = [
    ['day', 86_400_000],
    ['hour', 3_600_000],
    ['minute', 60_000],
  ];
  for (const [unit, length] of units) {
    const count = Math.floor(ms / length);
    if (count >= 1) return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
  }
  return 'just now';
}
