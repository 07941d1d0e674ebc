// What an agent tells its hook on stdin. Each agent has its own names for the same things; here they get ours. Nothing is required: a hook
// that misses a field does less, and never fails.

import { join } from 'node:path';

export type AgentName = 'claude-code' | 'codex' | 'gemini-cli' | 'cursor' | 'copilot-cli' | 'windsurf';

export type HookInput = {
  readonly agent: string;
  /** How the agent itself calls the event, which its answer must repeat: `UserPromptSubmit`, `BeforeAgent`. */
  readonly eventName: string | null;
  readonly session: string | null;
  readonly folder: string | null;
  readonly prompt: string;
  readonly transcript: string | null;
  /** Why a session starts: `startup`, `resume`, `clear`, `compact`. */
  readonly source: string | null;
  /** The files that a tool has written. */
  readonly files: readonly string[];
};

type Fields = Readonly<Record<string, unknown>>;

/** Reads what came on stdin; `named` is `--agent`. */
export function readHookInput(given: unknown, named: string | undefined, env: NodeJS.ProcessEnv): HookInput {
  const fields = recordOf(given);
  const agent = named ?? agentOf(fields, env);
  const session = firstText(fields, ['session_id', 'sessionId', 'conversation_id', 'trajectory_id']);
  const tool = recordOf(fields.tool_input ?? fields.toolArgs ?? fields.tool_info);
  const roots = Array.isArray(fields.workspace_roots) ? fields.workspace_roots : [];
  return {
    agent,
    eventName: textOf(fields.hook_event_name) ?? textOf(fields.hookEventName),
    session,
    folder: textOf(fields.cwd) ?? textOf(roots[0]) ?? textOf(env.CLAUDE_PROJECT_DIR) ?? textOf(env.CURSOR_PROJECT_DIR),
    prompt: firstText(fields, ['prompt', 'user_prompt', 'userPrompt']) ?? textOf(tool.user_prompt) ?? '',
    transcript:
      firstText(fields, ['transcript_path', 'transcriptPath', 'agent_transcript_path']) ??
      copilotLog(agent, session, env),
    source: textOf(fields.source),
    files: filesOf(fields, tool),
  };
}

function agentOf(fields: Fields, env: NodeJS.ProcessEnv): AgentName {
  if ('cursor_version' in fields || 'conversation_id' in fields) return 'cursor';
  if ('trajectory_id' in fields) return 'windsurf';
  if ('sessionId' in fields) return 'copilot-cli';
  const event = textOf(fields.hook_event_name) ?? '';
  if (/^(?:Before|After)|^PreCompress$/.test(event) || env.GEMINI_SESSION_ID !== undefined) return 'gemini-cli';
  const transcript = textOf(fields.transcript_path) ?? '';
  if ('turn_id' in fields || /[\\/]rollout-[^\\/]*\.jsonl$/.test(transcript)) return 'codex';
  if (/[\\/]\.gemini[\\/]/.test(transcript)) return 'gemini-cli';
  return 'claude-code';
}

/** Copilot CLI names the session alone when it ends; its log has a place by that name. */
function copilotLog(agent: string, session: string | null, env: NodeJS.ProcessEnv): string | null {
  const home = textOf(env.COPILOT_HOME) ?? (env.HOME === undefined ? null : join(env.HOME, '.copilot'));
  if (agent !== 'copilot-cli' || home === null || session === null || !/^[\w-]+$/.test(session)) return null;
  return join(home, 'session-state', session, 'events.jsonl');
}

/** `file_path` of Write and Edit; Codex writes by a patch that names its files. */
function filesOf(fields: Fields, tool: Fields): string[] {
  const single =
    firstText(tool, ['file_path', 'filePath', 'path', 'absolute_path', 'notebook_path']) ?? textOf(fields.file_path);
  const patch = firstText(tool, ['command', 'patch', 'input']) ?? '';
  const patched = [...patch.slice(0, 200_000).matchAll(/^\*\*\* (?:Add|Update) File: (.+)$/gm)].map((match) =>
    (match[1] ?? '').trim(),
  );
  return single === null ? patched : [single, ...patched];
}

function recordOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function firstText(fields: Fields, names: readonly string[]): string | null {
  for (const name of names) {
    const text = textOf(fields[name]);
    if (text !== null) return text;
  }
  return null;
}
