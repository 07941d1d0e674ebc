// The whole reading of a sweep: transcript, its sub-agents' files, statements, scores; only the best are kept, so that memory does not grow
// with the transcript. It runs in a thread of its own (gather.worker.ts): what it reads may be hundreds of megabytes.
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { LociError } from '#shared/errors.ts';
import { readTranscript } from './read-transcript.ts';
import { type StatementKind, scoreStatement } from './score-statement.ts';
import { statementsOf } from './statements.ts';
import type { SkippedLine, Transcript, TranscriptFormat, TranscriptPosition } from './transcript.ts';

export type GatherRequest = {
  readonly path: string;
  readonly session: string | null;
  readonly from: TranscriptPosition | null;
  /** How many of the best to answer. */
  readonly limit: number;
};

export type GatheredStatement = {
  readonly kind: StatementKind;
  readonly text: string;
  readonly score: number;
  readonly role: 'user' | 'assistant';
  readonly atMs: number | null;
  readonly line: number;
  /** SHA-256 of its words: equal for the same statement, whatever its spelling of case and spaces. */
  readonly hash: string;
};

export type Gathered = {
  readonly format: TranscriptFormat;
  /** Best first; none says nearly the same as a better one. */
  readonly statements: readonly GatheredStatement[];
  readonly position: TranscriptPosition;
  readonly folder: string | null;
  readonly session: string | null;
  readonly messages: number;
  readonly redactions: number;
  readonly skipped: number;
  readonly skippedLines: readonly SkippedLine[];
};

const maxSubAgentFiles = 50;

/** Throws `not_found` or `invalid_input` for a file that is no transcript. */
export function gatherStatements({ path, session, from, limit }: GatherRequest): Gathered {
  const best = createBest(limit);
  const counts = { messages: 0, redactions: 0 };
  const main = readTranscript({ path, session, from });
  try {
    gatherFrom(main, best, counts);
    const end = main.end();
    for (const file of subAgentFiles(path)) gatherFromSubAgent(file, best, counts);
    return { format: main.format, statements: best.list(), ...counts, ...end };
  } finally {
    main.close();
  }
}

type Counts = { messages: number; redactions: number };

/** A sub-agent's file that cannot be read is no reason to lose the session. */
function gatherFromSubAgent(path: string, best: Best, counts: Counts): void {
  try {
    const transcript = readTranscript({ path });
    try {
      gatherFrom(transcript, best, counts);
    } finally {
      transcript.close();
    }
  } catch (error) {
    if (!(error instanceof LociError)) throw error;
  }
}

function gatherFrom(transcript: Transcript, best: Best, counts: Counts): void {
  for (const { role, text, atMs, line } of transcript.messages()) {
    counts.messages += 1;
    const statements = statementsOf(text);
    counts.redactions += statements.redactions;
    for (const statement of statements.texts) {
      const scored = scoreStatement(statement, role);
      if (scored !== null) best.offer({ ...scored, text: statement, role, atMs, line, hash: hashOf(statement) });
    }
  }
}

/** Claude Code writes sub-agents beside the session: `<session>/subagents/agent-….jsonl`. */
function subAgentFiles(path: string): string[] {
  if (!path.endsWith('.jsonl')) return [];
  const folder = join(path.slice(0, -'.jsonl'.length), 'subagents');
  try {
    return readdirSync(folder)
      .filter((name) => /^agent-[\w-]+\.jsonl$/.test(name))
      .sort()
      .slice(0, maxSubAgentFiles)
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

type Best = { offer(statement: GatheredStatement): void; list(): GatheredStatement[] };

/** Keeps the `limit` best; the later one of equal ones, because it is the newer word. */
function createBest(limit: number): Best {
  let kept: GatheredStatement[] = [];
  return {
    offer(statement) {
      const twin = kept.findIndex((other) => isNearlySame(other, statement));
      if (twin !== -1) {
        if ((kept[twin] as GatheredStatement).score > statement.score) return;
        kept.splice(twin, 1);
      } else if (kept.length >= limit && (kept.at(-1) as GatheredStatement).score > statement.score) return;
      kept = [...kept, statement].sort((a, b) => b.score - a.score || b.line - a.line).slice(0, limit);
    },
    list: () => kept,
  };
}

/** One says all the words of the other. Likeness is not enough: two notes of one form may differ in the only word that counts. */
function isNearlySame(a: GatheredStatement, b: GatheredStatement): boolean {
  if (a.hash === b.hash) return true;
  const [one, other] = [wordsOf(a.text), wordsOf(b.text)];
  const [small, large] = one.size < other.size ? [one, other] : [other, one];
  return [...small].every((word) => large.has(word));
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}

function hashOf(text: string): string {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return createHash('sha256').update(words.join(' ')).digest('hex');
}
