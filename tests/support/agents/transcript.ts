// What the agents did, as a person reads it: the command, what the model called, what came back, what it said. Paths of this machine
// become `~`; of a memory stands what says most.
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agents, usualAgents } from './agents.ts';
import type { Turn } from './model-server.ts';
import type { AgentRun } from './scene.ts';

export type Transcript = {
  /** Adds a session; `event` is what happened before the last call of its script. */
  session(run: AgentRun, event?: string): void;
  /** Adds what another program asked and got. */
  command(words: readonly string[], answer: string): void;
  heading(text: string): void;
  /** Writes it into the temporary folder when `LOCI_TRANSCRIPT` is set. */
  write(): void;
};

/** `folder` is shown as `~`. */
export function createTranscript(folder: string): Transcript {
  const parts: string[] = [];
  const add = (...lines: string[]): void => void parts.push(lines.join('\n').replaceAll(folder, '~'));
  return {
    heading: (text) => add(`## ${text}`),
    session(run, event) {
      const turns = run.turns.filter(({ conversation }) => conversation.tools.length > 0);
      add(`**${run.agent}**`);
      add('```console', ...run.commands.map((words) => `$ ${shellText(words)}`), '```');
      turns.forEach((turn, index) => {
        if (index > 0) add('It gets back', '', '```', shownResult(lastResult(turn)), '```');
        if (event !== undefined && index === turns.length - 2) add(`_${event}_`);
        if ('text' in turn.reply) add(`It says “${turn.reply.text}”`);
        else add(`The model calls \`${calledName(turn)}\``, '', '```json', pretty(turn.reply.call.args), '```');
      });
    },
    command: (words, answer) => add('```console', `$ ${shellText(words)}`, shownResult(answer), '```'),
    write() {
      if (!process.env.LOCI_TRANSCRIPT) return;
      const file = join(tmpdir(), 'loci-agents-transcript.md');
      rmSync(file, { force: true });
      writeFileSync(file, `${[...opening(), ...parts].join('\n\n')}\n`, { flag: 'wx', mode: 0o600 });
    },
  };
}

function opening(): string[] {
  const names = usualAgents.map((name) => `${name} ${agents[name].version}`);
  return [
    '# Four agents, one memory',
    'Written by `LOCI_TRANSCRIPT=1 npm run test:agents`. The agents are the real ones, each with a HOME of its own: ' +
      `${names.join(', ')}. The model behind them is a script on this machine, which makes the calls that the prompt names. ` +
      'OpenCode has `"mcp": {"loci": {"type": "local", "command": ["loci", "mcp"]}}` in its `opencode.json`. ' +
      'Of a memory the answers hold more fields than are shown here.',
  ];
}

/** What came back for the newest call of a turn. */
export function lastResult({ conversation }: Turn): string {
  return conversation.results.at(-1) ?? '';
}

function calledName({ reply }: Turn): string {
  if (!('call' in reply)) return '';
  const { namespace, name } = reply.call.tool;
  return namespace === null ? name : `${namespace}/${name}`;
}

/** Agents put a line or a tag of their own around the JSON. */
function shownResult(text: string): string {
  const json = /\{.*\}/s.exec(text)?.[0] ?? '';
  try {
    return text.replace(json, pretty(shortened(JSON.parse(json))));
  } catch {
    return text;
  }
}

const shownOfMemory = ['id', 'type', 'project', 'content', 'category', 'key', 'agent', 'branch', 'created_at', 'score'];

function shortened(answer: { results?: Record<string, unknown>[] }): unknown {
  if (answer.results === undefined) return answer;
  const short = (memory: Record<string, unknown>) =>
    Object.fromEntries(shownOfMemory.filter((name) => memory[name] !== null).map((name) => [name, memory[name]]));
  return { ...answer, results: answer.results.map(short) };
}

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

function shellText(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
}
