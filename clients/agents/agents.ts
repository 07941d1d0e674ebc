import type { Agent, AgentName } from './agent.ts';
import { antigravity } from './kinds/antigravity.ts';
import { claudeCode } from './kinds/claude-code.ts';
import { claudeDesktop } from './kinds/claude-desktop.ts';
import { codex } from './kinds/codex.ts';
import { copilotCli } from './kinds/copilot-cli.ts';
import { cursor } from './kinds/cursor.ts';
import { gemini } from './kinds/gemini.ts';
import { generic } from './kinds/generic.ts';
import { opencode } from './kinds/opencode.ts';
import { vscode } from './kinds/vscode.ts';
import { windsurf } from './kinds/windsurf.ts';
import { zed } from './kinds/zed.ts';

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
