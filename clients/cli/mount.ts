import type { Command } from 'commander';
import type { Verb } from './verb.ts';

/** Places a command below its group. */
export type Mount = (path: string, command: Command, verb?: Verb) => void;
