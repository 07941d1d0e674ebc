// One shape for what five agents write in five formats. A transcript is pulled message by message and never held whole: files of
// hundreds of megabytes exist, and so do lines of eight.
import type { transcriptFormats } from '#shared/contract/hooks.ts';

export type TranscriptFormat = (typeof transcriptFormats)[number];

export type TranscriptMessage = {
  /** `assistant` also for what an agent told its sub-agent, which stands there as the user. */
  readonly role: 'user' | 'assistant';
  /** What was said; tool calls, their results and thoughts are left out. */
  readonly text: string;
  readonly atMs: number | null;
  /** Line of the file, from 1; in a database the number of the message. */
  readonly line: number;
};

/** Where a reading ended. A file that has grown is read on from there; one that was replaced, from its start. */
export type TranscriptPosition = {
  readonly headHash: string;
  readonly position: number;
  readonly line: number;
};

export type SkippedLine = { readonly line: number; readonly why: string };

export type Transcript = {
  readonly format: TranscriptFormat;
  /** In order; to be walked once. */
  messages(): Generator<TranscriptMessage>;
  /** What is known after the walk. */
  end(): TranscriptEnd;
};

export type TranscriptEnd = {
  readonly position: TranscriptPosition;
  /** The folder the session worked in, where the transcript says it. */
  readonly folder: string | null;
  readonly session: string | null;
  /** How many lines could not be read, and the first of them. */
  readonly skipped: number;
  readonly skippedLines: readonly SkippedLine[];
};

/** As much of a line as its dialect understands. */
export type DialectLine = {
  readonly messages: readonly DialectMessage[];
  readonly folder?: string | undefined;
  readonly session?: string | undefined;
  /** The whole file is a sub-agent's. */
  readonly isSubAgent?: boolean | undefined;
};

export type DialectMessage = {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  readonly atMs: number | null;
  /** Some agents write a message again as it grows: the same id is the same message. */
  readonly id: string | null;
};

export const nothing: DialectLine = { messages: [] };

/** A longer line is skipped (contract, rule 15). */
export const maxLineBytes = 16 * 2 ** 20;
/** So many skipped lines are named; the others are counted. */
export const maxNamedSkips = 20;
