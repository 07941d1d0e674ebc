// What the agents did, as a person reads it: the command, what the model called, what came back, what it said. Paths of this machine
// become `~`, and of a result is left out what is null or empty.
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
        if (index > 0) add('It gets back', '```json', shownResult(lastResult(turn)), '```');
        if (event !== undefined && index === turns.length - 2) add(`*${event}*`);
        if ('text' in turn.reply) add(`and says “${turn.reply.text}”`);
        else add(`The model calls \`${calledName(turn)}\``, '```json', pretty(turn.reply.call.args), '```');
      });
    },
    command: (words, answer) => add('```console', `$ ${shellText(words)}`, shownResult(answer), '```'),
    write() {
      if (!process.env.LOCI_TRANSCRIPT) return;
      const file = join(tmpdir(), 'loci-agents-transcript.md');
      rmSync(file, { force: true });
      writeFileSync(file, `${parts.join('\n\n')}\n`, { flag: 'wx', mode: 0o600 });
    },
  };
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
    return text.replace(
      json,
      pretty(JSON.parse(json, (_name, value: unknown) => (isEmpty(value) ? undefined : value))),
    );
  } catch {
    return text;
  }
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value as object).length === 0);
}

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

function shellText(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
}
