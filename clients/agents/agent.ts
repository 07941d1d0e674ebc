// What setup must know of an agent, and nothing of how files are written: an agent is data, so that `--dry-run`, `--undo` and the doctor
// read the same description as setup itself, and a changed format of an agent is a changed file here.
import type { Edit } from './edits/edit.ts';

export const agentNames = [
  'claude-code',
  'claude-desktop',
  'cursor',
  'codex',
  'gemini',
  'antigravity',
  'vscode',
  'copilot-cli',
  'opencode',
  'windsurf',
  'zed',
  'generic',
] as const;

export type AgentName = (typeof agentNames)[number];

/** Where a person's agents live. */
export type Machine = {
  /** The person's home folder, absolute. */
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
};

/** How Loci is started from here; all paths absolute, so that neither PATH nor npm is asked when an agent starts. */
export type LociProgram = {
  readonly node: string;
  /** `loci.cjs` of this installation. */
  readonly script: string;
  /** The variables that say where Loci's home is, of those that are set; some agents pass none of their own on. */
  readonly env: Readonly<Record<string, string>>;
  /** Folder with the skills and commands that are copied to agents. */
  readonly texts: string;
};

export type PlanSetting = {
  readonly machine: Machine;
  readonly program: LociProgram;
  /** False leaves the agent's hooks alone. */
  readonly hooks: boolean;
  /** Plans although a plugin of the agent brings the same: what the doctor looks for is there twice. */
  readonly besidePlugin?: boolean;
};

export type AgentPlan = {
  readonly edits: readonly Edit[];
  /** Sentences for the user: what is left to do, or why there is nothing. */
  readonly notes: readonly string[];
};

/** What shows that an agent is there; one of them is enough. */
export type Traces = { readonly folders: readonly string[]; readonly programs: readonly string[] };

export type Agent = {
  readonly name: AgentName;
  /** As people call it: `Claude Code`. */
  readonly title: string;
  /** What makes the agent read its settings anew: `Restart Cursor.` */
  readonly restart: string;
  readonly traces: (machine: Machine) => Traces;
  readonly plan: (setting: PlanSetting) => AgentPlan;
};
