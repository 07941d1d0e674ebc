import type { FoundServer } from '#clients/agents/index.ts';
import { resolvePaths } from '#shared/paths.ts';
import { agentStates, type KnownAgent, setUp, setupCommand } from './agent-states.ts';
import { broken, type Check, type DoctorDeps, type Finding, notice, ok } from './check.ts';
import { poorEnvironment, startServer } from './start-server.ts';

/** For each agent of this machine: is it connected, once, to this home, and does its very command work. */
export const agentServers: Check = {
  about: 'agents',
  async run(deps) {
    const states = agentStates(deps);
    if (states.length === 0) return [notice('agents', 'None was found on this machine.', 'loci setup --agent NAME')];
    const findings = await Promise.all(states.map((state) => judge(state, deps)));
    return findings.flat();
  },
};

async function judge(state: KnownAgent, deps: DoctorDeps): Promise<Finding[]> {
  const { name, title, servers, hasPlugin, unreadable } = state;
  const mend = setupCommand(name);
  const unread = unreadable.map(({ file, why }) => broken(title, `${file} ${why}.`.replace(/\.\.$/, '.'), mend));
  if (servers.length === 0) {
    if (unread.length > 0) return unread;
    if (hasPlugin) return [ok(title, 'connected by its plugin')];
    return [notice(title, 'It is here and not connected.', mend)];
  }
  const twice = hasPlugin
    ? [broken(title, 'It is installed twice: by its plugin, and in its settings.', 'claude plugin uninstall loci')]
    : [];
  const answers = await Promise.all(servers.map((server) => tried(state, server, deps)));
  return [...unread, ...twice, ...answers];
}

async function tried({ name, title }: KnownAgent, server: FoundServer, deps: DoctorDeps): Promise<Finding> {
  const [mend, fix] = [setupCommand(name), setUp(deps, name)];
  if (isElsewhere(server, deps)) {
    const says = `Its entry in ${server.file} leads to another home of Loci than this one.`;
    return notice(title, says, mend);
  }
  const answer = await startServer(server, deps.env, deps.daemon !== null);
  if (answer.kind === 'tools') return ok(title, `connected: ${answer.count} tools in ${answer.tookMs} ms`);
  if (answer.kind === 'waits') return ok(title, 'connected; its command runs, and no daemon does');
  const says = `Its command in ${server.file} does not work: ${answer.text.replace(/\.$/, '')}.`;
  return answer.kind === 'refusal' ? broken(title, says, 'loci restart') : broken(title, says, mend, fix);
}

function isElsewhere({ env: own }: FoundServer, { env, paths }: DoctorDeps): boolean {
  const given = { ...poorEnvironment(env), XDG_RUNTIME_DIR: env.XDG_RUNTIME_DIR, ...own };
  return resolvePaths(given).data !== paths.data;
}
