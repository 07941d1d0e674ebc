// Every reader, in the order in which they are asked whether a file is theirs: those that are sure by a mark of their own first.
import type { SourceKind } from '#shared/contract/transfer.ts';
import { lociReader } from './loci.ts';
import type { Reader } from './reader.ts';

export const readers: readonly Reader[] = [lociReader];

export function readerOf(source: SourceKind): Reader | undefined {
  return readers.find((reader) => reader.source === source);
}
