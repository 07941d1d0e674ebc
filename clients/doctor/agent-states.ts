import {
  type AgentName,
  type AgentState,
  applySetup,
  detectAgents,
  inspectAgent,
  lociProgram,
  machineOf,
  planSetup,
  setupFolder,
  withSetupLock,
} from '#clients/agents/index.ts';
import { LociError } from '#shared/errors.ts';
import type { DoctorDeps } from './check.ts';

export type KnownAgent = AgentState & { readonly title: string };

/** Every agent of this machine, with what it has of Loci. */
export function agentStates({ env, script }: DoctorDeps): KnownAgent[] {
  const machine = machineOf(env);
  const program = lociProgram(env, script);
  return detectAgents(machine).map(({ name, title }) => ({ ...inspectAgent(name, machine, program), title }));
}

export function setupCommand(name: AgentName): string {
  return `loci setup --agent ${name}`;
}

/** Does what `loci setup --agent NAME --yes` does. */
export function setUp({ env, paths, script }: DoctorDeps, name: AgentName): () => void {
  return () => {
    const folder = setupFolder(paths.state);
    const request = { machine: machineOf(env), program: lociProgram(env, script), names: [name], hooks: true };
    const changes = withSetupLock(folder, () => applySetup(folder, planSetup(folder, request).changes));
    const refused = changes.find(({ state }) => state === 'refused');
    if (refused !== undefined) {
      throw new LociError(
        'conflict',
        `${refused.file} ${refused.why ?? 'cannot be changed'}; see \`${setupCommand(name)}\`.`,
      );
    }
  };
}
