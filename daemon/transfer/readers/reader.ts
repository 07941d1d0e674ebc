// What reads the files of one program. A reader turns what it finds into records of the export format, unchecked: everything after it
// (bounds, secrets, references, merging) is the same whichever program wrote the file. It runs in a thread of its own and may block; it
// yields one item at a time, so that the largest file needs no more memory than its largest record.
import type { RecordKind } from '#daemon/storage/records/kinds.ts';
import type { SourceKind } from '#shared/contract/transfer.ts';

/** What is known of a file before it is read. */
export type Sample = {
  /** The first 64 KB as text; empty for a database. */
  readonly head: string;
  /** Tables of a SQLite database; null for any other file. */
  readonly tables: readonly string[] | null;
  /** Of a folder that the client packed: the first files, with their texts. */
  readonly files: readonly { readonly path: string; readonly text: string }[] | null;
};

export type Upload = { readonly path: string; readonly sizeBytes: number };

export type Item =
  | {
      readonly line: number | null;
      /** Where it stands in a source without lines, such as `row 3 of memories`. */
      readonly at?: string;
      readonly record: Readonly<Record<string, unknown>>;
      /** False where the source keeps no times: then what is here already stays as it is. */
      readonly isTimed?: boolean;
    }
  | { readonly line: number | null; readonly problem: string }
  /** Something that is left out on purpose; told once. */
  | { readonly notice: string };

export type ReaderTools = {
  /** The same uid for the same thing of the same source and user at every import. */
  uidFor(kind: RecordKind, ...sourceId: readonly string[]): string;
  /** The uid of the project of a name, and its record when it is asked for the first time. */
  project(name: string): { readonly uid: string; readonly items: readonly Item[] };
  /** Where what names no project goes; null for none. */
  readonly project0: string | null;
  readonly nowIso: string;
  /** Told now and then how far the file is read. */
  progress(bytes: number): void;
};

export type Reader = {
  readonly source: SourceKind;
  /** Whether the file is of this kind. */
  detects(sample: Sample): boolean;
  read(upload: Upload, tools: ReaderTools): Iterable<Item>;
};
