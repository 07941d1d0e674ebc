// Loci in OpenCode, written by `loci setup`. It runs `loci hook` as other agents do: that ends within a second whatever happens, and
// what it prints is put before the model as data.
import { spawn, spawnSync } from 'node:child_process';

const program = ['loci', 'hook'];
const place = ['--agent', 'opencode'];

export const Loci = async ({ directory }) => {
  const started = new Set();

  const text = async (event, input) => {
    const answer = await run([event, ...place], { cwd: directory, ...input });
    return answer?.hookSpecificOutput?.additionalContext ?? '';
  };

  return {
    'chat.message': async (_input, { message, parts }) => {
      const session = message.sessionID;
      const prompt = parts.flatMap((part) => (part.type === 'text' && !part.synthetic ? [part.text] : [])).join('\n');
      const isFirst = !started.has(session);
      started.add(session);
      const contexts = await Promise.all([
        isFirst
          ? text('session-start', { session_id: session, source: 'startup', hook_event_name: 'SessionStart' })
          : '',
        text('user-prompt', { session_id: session, prompt, hook_event_name: 'UserPromptSubmit' }),
      ]);
      const first = parts.find((part) => part.type === 'text');
      const context = contexts.filter((one) => one !== '').join('\n\n');
      // a part of its own that the screen does not show; its id sorts behind that of the prompt
      if (first !== undefined && context !== '')
        parts.push({ ...first, id: `${first.id}l`, text: context, synthetic: true });
    },
    event: async ({ event }) => {
      if (event.type !== 'session.idle' && event.type !== 'session.compacted') return;
      const name = event.type === 'session.idle' ? 'session-end' : 'pre-compact';
      const input = { cwd: directory, session_id: event.properties.sessionID, transcript_path: database() };
      // nothing may be left to do when this returns: after its one turn `opencode run` ends at once
      const [command, ...args] = [...program, name, ...place];
      spawnSync(command, args, { input: JSON.stringify(input), timeout: 2_000, stdio: ['pipe', 'ignore', 'ignore'] });
    },
  };
};

/** Where OpenCode keeps its sessions. */
function database() {
  const data = process.env.XDG_DATA_HOME || `${process.env.HOME}/.local/share`;
  return `${data}/opencode/opencode.db`;
}

/** What the hook printed, as JSON; null for nothing. Never rejects, and waits no longer than two seconds. */
function run(words, input) {
  return new Promise((resolve) => {
    let output = '';
    const [command, ...args] = [...program, ...words];
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    const timer = setTimeout(() => child.kill('SIGKILL'), 2_000);
    const end = () => {
      clearTimeout(timer);
      try {
        resolve(output === '' ? null : JSON.parse(output));
      } catch {
        resolve(null);
      }
    };
    child.on('error', end);
    child.on('close', end);
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(JSON.stringify(input));
  });
}
