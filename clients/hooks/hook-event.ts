import type { SpoolEntry } from '#shared/spool-entry.ts';
import type { HookInput } from './hook-input.ts';

/** What an event may do: ask the daemon within the deadline, and leave an entry for it. */
export type HookTools = {
  /** Rejects when no answer comes in time. */
  ask(operation: string, input: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>;
  /** Throws where it cannot be written. */
  leave(entry: SpoolEntry): void;
  /** Milliseconds until this process gives up. */
  leftMs(): number;
};

export type HookEvent = {
  /** Answers what goes into the agent's context; empty for nothing. */
  readonly handle: (input: HookInput, tools: HookTools) => Promise<string>;
  /** Said instead of the failure where the work is not lost with it. */
  readonly unansweredMeans?: string;
};

export const leftForLater = 'the daemon did not answer; it will take this in when it starts';
