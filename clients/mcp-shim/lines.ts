/** Cuts chunks into whole lines, newline included, whatever the cuts between the chunks; bytes stay bytes, so no character is ever torn. */
export function createLineCutter(onLine: (line: Buffer) => void) {
  let parts: Buffer[] = [];
  const push = (chunk: Buffer): void => {
    let rest = chunk;
    for (let at = rest.indexOf(newline); at !== -1; at = rest.indexOf(newline)) {
      const line = Buffer.concat([...parts, rest.subarray(0, at + 1)]);
      parts = [];
      rest = rest.subarray(at + 1);
      onLine(line);
    }
    if (rest.length > 0) parts.push(rest);
  };
  /** Ends a last line that has no newline. */
  const flush = (): void => {
    if (parts.length > 0) push(Buffer.from('\n'));
  };
  return { push, flush };
}

const newline = 10;
