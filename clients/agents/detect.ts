import { type Agent, type AgentName, agentNames, type Machine } from './agent.ts';
import { agents } from './agents.ts';
import { isFolder, programOnPath } from './machine.ts';

/** An agent that is there, and by what it was recognised. */
export type Detected = {
  readonly name: AgentName;
  readonly title: string;
  readonly folders: readonly string[];
  /** Absolute paths. */
  readonly programs: readonly string[];
};

/** The agents of this machine: a folder or a program of theirs is enough. */
export function detectAgents(machine: Machine): Detected[] {
  return agentNames.flatMap((name) => detect(agents[name], machine) ?? []);
}

function detect({ name, title, traces }: Agent, machine: Machine): Detected | null {
  const { folders, programs } = traces(machine);
  const found = {
    folders: folders.filter(isFolder),
    programs: programs.flatMap((program) => programOnPath(machine, program) ?? []),
  };
  return found.folders.length + found.programs.length === 0 ? null : { name, title, ...found };
}
