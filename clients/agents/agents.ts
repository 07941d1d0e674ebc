import type { Agent, AgentName } from './agent.ts';
import { antigravity } from './antigravity.ts';
import { claudeCode } from './claude-code.ts';
import { claudeDesktop } from './claude-desktop.ts';
import { codex } from './codex.ts';
import { copilotCli } from './copilot-cli.ts';
import { cursor } from './cursor.ts';
import { gemini } from './gemini.ts';
import { generic } from './generic.ts';
import { opencode } from './opencode.ts';
import { vscode } from './vscode.ts';
import { windsurf } from './windsurf.ts';
import { zed } from './zed.ts';

/** Every agent that Loci can attach itself to. */
export const agents: Readonly<Record<AgentName, Agent>> = {
  'claude-code': claudeCode,
  'claude-desktop': claudeDesktop,
  cursor,
  codex,
  gemini,
  antigravity,
  vscode,
  'copilot-cli': copilotCli,
  opencode,
  windsurf,
  zed,
  generic,
};
