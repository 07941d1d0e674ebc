// The first line to the daemon: who calls, from where. The daemon cannot see a client's folder or environment by itself.
import { closeSync, openSync, readSync } from 'node:fs';
import { greetingVersion, version } from '#shared/version.ts';

export type HelloOptions = { readonly tools: string | undefined; readonly token: string | undefined };

/** Variables that tell the project's folder and the agent; nothing else of the environment is sent. */
const sentNames = [
  'CLAUDE_PROJECT_DIR',
  'CURSOR_PROJECT_DIR',
  'WORKSPACE_FOLDER_PATHS',
  'AGENT_ID',
  'AGENT_VERSION',
  'AGENT_MODEL',
  'ENCODING_AGENT',
  'ENCODING_VERSION',
] as const;

/** Builds the greeting of one session: the same UUID whenever it meets a new daemon. `was`: the version of the one before, if any. */
export function createHello(env: NodeJS.ProcessEnv, { tools, token }: HelloOptions) {
  const session = newSessionId();
  const fixed = {
    loci: greetingVersion,
    session,
    version,
    pid: process.pid,
    cwd: currentFolder(),
    tools,
    token,
    env: Object.fromEntries(sentNames.filter((name) => env[name]).map((name) => [name, env[name]])),
  };
  return (was: string | undefined): string => `${JSON.stringify({ ...fixed, resume: was !== undefined, was })}\n`;
}

/** A UUIDv4. Straight from the kernel: `node:crypto` would cost a tenth of what the whole shim takes to start. */
function newSessionId(): string {
  const bytes = Buffer.alloc(16);
  const random = openSync('/dev/urandom', 'r');
  readSync(random, bytes);
  closeSync(random);
  bytes[6] = 0x40 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Null when the folder has been deleted under us. */
function currentFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}
