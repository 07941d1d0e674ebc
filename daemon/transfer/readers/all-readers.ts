// Every reader, in the order in which they are asked whether a file is theirs: those that are sure by a mark of their own first.
import type { SourceKind } from '#shared/contract/transfer.ts';
import { claudeCodeReader } from './claude-code.ts';
import { claudeMemReader } from './claude-mem.ts';
import { forgetfulReader } from './forgetful.ts';
import { basicMemoryReader, obsidianReader } from './linked-notes.ts';
import { lociReader } from './loci.ts';
import { mem0Reader } from './mem0.ts';
import { nanForgetReader } from './nan-forget.ts';
import type { Reader } from './reader.ts';
import { serverMemoryReader } from './server-memory.ts';

export const readers: readonly Reader[] = [
  lociReader,
  forgetfulReader,
  claudeMemReader,
  serverMemoryReader,
  mem0Reader,
  nanForgetReader,
  claudeCodeReader,
  basicMemoryReader,
  obsidianReader,
];

export function readerOf(source: SourceKind): Reader | undefined {
  return readers.find((reader) => reader.source === source);
}
