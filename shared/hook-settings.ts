// What a person pastes into an agent's settings to have the hooks: `loci hook --print AGENT`.
import { type HookCommand, hookCommandLine } from '#shared/hook-command.ts';

/** Our event → the agent's, in the order in which they are printed; `matcher` names the tools that write files. */
const names: Readonly<Record<string, readonly (readonly [ours: string, theirs: string, matcher?: string])[]>> = {
  'claude-code': [
    ['session-start', 'SessionStart'],
    ['user-prompt', 'UserPromptSubmit'],
    ['post-tool-use', 'PostToolUse', 'Write|Edit|MultiEdit'],
    ['pre-compact', 'PreCompact'],
    ['session-end', 'SessionEnd'],
  ],
  codex: [
    ['session-start', 'SessionStart'],
    ['user-prompt', 'UserPromptSubmit'],
    ['post-tool-use', 'PostToolUse', 'apply_patch|Write|Edit'],
    ['pre-compact', 'PreCompact'],
    ['session-end', 'SessionEnd'],
  ],
  'gemini-cli': [
    ['session-start', 'SessionStart'],
    ['user-prompt', 'BeforeAgent'],
    ['post-tool-use', 'AfterTool', 'write_file|replace'],
    ['pre-compact', 'PreCompress'],
    ['session-end', 'SessionEnd'],
  ],
  cursor: [
    ['session-start', 'sessionStart'],
    ['user-prompt', 'beforeSubmitPrompt'],
    ['post-tool-use', 'postToolUse', 'Write'],
    ['pre-compact', 'preCompact'],
    ['session-end', 'sessionEnd'],
  ],
};

export const printableAgents = Object.keys(names);

const timeoutS = 5;

/** The `hooks` part of an agent's settings, or null for an agent that is not known. */
export function hookSettings(agent: string, program: Omit<HookCommand, 'event' | 'agent'>): object | null {
  const events = names[agent];
  if (events === undefined) return null;
  const hooks = Object.fromEntries(
    events.map(([event, theirs, matcher]) => {
      const command = hookCommandLine({ ...program, event, agent });
      const match = matcher === undefined ? {} : { matcher };
      if (agent === 'cursor') return [theirs, [{ command, timeout: timeoutS, ...match }]];
      const entry =
        agent === 'gemini-cli'
          ? { type: 'command', name: 'loci', command, timeout: timeoutS * 1_000 }
          : { type: 'command', command, timeout: timeoutS };
      return [theirs, [{ ...match, hooks: [entry] }]];
    }),
  );
  return agent === 'cursor' ? { version: 1, hooks } : { hooks };
}
