// The two streams of moving out and in. The HTTP adapter carries the bytes, the transfer room knows what they mean; neither knows the other.
import type { CallContext } from './context.ts';

export type ExportRequest = {
  /** By name; null for everything. */
  readonly project: string | null;
  /** Archived, obsolete and expired memories too. */
  readonly includeObsolete: boolean;
};

/** Lines of an export as they are read; whoever takes them ends the iteration, which lets go of the snapshot. */
export type OpenExport = (request: ExportRequest, context: CallContext) => Promise<AsyncIterable<Uint8Array>>;

/** Which of the files of an upload a part belongs to: the file itself, or the write-ahead log that lies beside a database. */
export type UploadFile = 'content' | 'wal';

export type ImportPart = {
  readonly importId: string;
  readonly file: UploadFile;
  /** Where in the file it begins, in bytes. */
  readonly offset: number;
  readonly bytes: Buffer;
};

/** Keeps a part; a part that is there already is taken again without harm. Answers how many bytes of the file there are. */
export type ReceiveImport = (part: ImportPart, context: CallContext) => Promise<{ readonly received_bytes: number }>;
