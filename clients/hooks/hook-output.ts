// How each agent wants to be told what to put into its context. Codex refuses unknown keys, Gemini CLI anything that is no JSON, and none of
// the answers holds a field that would block, ask again or speak to the user.
import type { HookInput } from './hook-input.ts';

/** Our event → what Claude Code and Codex call it. */
const claudeNames: Readonly<Record<string, string>> = {
  'session-start': 'SessionStart',
  'user-prompt': 'UserPromptSubmit',
};

/** The JSON for stdout, or an empty text where this agent cannot be told anything at this event. */
export function hookOutput(event: string, { agent, eventName }: HookInput, context: string): string {
  if (context === '' || !(event in claudeNames)) return '';
  switch (agent) {
    case 'cursor':
      return JSON.stringify({ ...(event === 'user-prompt' ? { continue: true } : {}), additional_context: context });
    case 'copilot-cli':
      return JSON.stringify({ additionalContext: context });
    case 'windsurf':
      return '';
    default: {
      const ours = agent === 'gemini-cli' && event === 'user-prompt' ? 'BeforeAgent' : claudeNames[event];
      return JSON.stringify({ hookSpecificOutput: { hookEventName: eventName ?? ours, additionalContext: context } });
    }
  }
}
