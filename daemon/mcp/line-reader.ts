export type LineReaderOptions = {
  readonly maxLineBytes: number;
  /** A line without its newline. */
  readonly onLine: (line: Buffer) => void;
  /** A line over the limit, of which only the first and last bytes were kept. It is skipped and the next one is served. */
  readonly onTooLong: (head: Buffer, tail: Buffer) => void;
};

const newline = 10;
/** Bytes kept of both ends of a line that is too long: enough to find its id. */
const keptBytes = 512;

/** Cuts a stream of chunks into lines and holds at most `maxLineBytes` of an unfinished one. Bytes stay bytes, so no character is torn. */
export function createLineReader({ maxLineBytes, onLine, onTooLong }: LineReaderOptions) {
  let parts: Buffer[] = [];
  let sizeBytes = 0;
  let head: Buffer | null = null; // set while a line that is too long is being skipped
  let tail: Buffer = Buffer.alloc(0);

  function add(part: Buffer): void {
    sizeBytes += part.length;
    if (head === null && sizeBytes <= maxLineBytes) {
      parts.push(part);
      return;
    }
    if (head === null) {
      const start = Buffer.concat([...parts, part]);
      head = Buffer.from(start.subarray(0, keptBytes));
      tail = Buffer.from(start.subarray(-keptBytes));
      parts = [];
    } else {
      tail = Buffer.from(Buffer.concat([tail, part]).subarray(-keptBytes));
    }
  }

  function endLine(): void {
    if (head === null) onLine(Buffer.concat(parts));
    else onTooLong(head, tail);
    parts = [];
    sizeBytes = 0;
    head = null;
  }

  return {
    push(chunk: Buffer): void {
      let rest = chunk;
      for (let at = rest.indexOf(newline); at !== -1; at = rest.indexOf(newline)) {
        add(rest.subarray(0, at));
        rest = rest.subarray(at + 1);
        endLine();
      }
      if (rest.length > 0) add(rest);
    },
    /** Ends a last line that has no newline. */
    flush(): void {
      if (sizeBytes > 0) endLine();
    },
  };
}
