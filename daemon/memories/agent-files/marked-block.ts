// The lines between `<!-- loci:begin -->` and `<!-- loci:end -->` are ours; every other byte of the file is the user's. So the file
// is handled as bytes: what is not ours is copied, never decoded, whatever its encoding, line ends or missing last line end.

const begin = '<!-- loci:begin -->';
const end = '<!-- loci:end -->';

/** What became of a file: its new bytes (equal to the old ones where nothing changes), or why it is left alone. */
export type Marked = { readonly bytes: Buffer } | { readonly leftAlone: string };

/** The file with `lines` in its block; a file without one gets it at its end. */
export function withMarkedBlock(file: Buffer, lines: readonly string[]): Marked {
  if (file.includes(0) || startsWith(file, [0xff, 0xfe]) || startsWith(file, [0xfe, 0xff])) {
    return { leftAlone: 'it is no UTF-8 text' };
  }
  const found = linesOf(file);
  const begins = found.filter((line) => line.text === begin);
  const ends = found.filter((line) => line.text === end);
  const lineEnd = begins[0]?.lineEnd || (file.includes('\r\n') ? '\r\n' : '\n');
  const [first] = begins;
  const [last] = ends;
  if (first === undefined && last === undefined) return { bytes: appended(file, lines, lineEnd) };
  if (begins.length > 1 || ends.length > 1 || first === undefined || last === undefined || last.start < first.end) {
    return { leftAlone: 'its loci:begin and loci:end lines are not one pair' };
  }
  const inside = Buffer.from(lines.map((line) => line + lineEnd).join(''));
  return { bytes: Buffer.concat([file.subarray(0, first.end), inside, file.subarray(last.start)]) };
}

function appended(file: Buffer, lines: readonly string[], lineEnd: string): Buffer {
  const gap = file.length === 0 ? '' : file.at(-1) === 0x0a ? lineEnd : lineEnd + lineEnd;
  return Buffer.concat([file, Buffer.from(gap + [begin, ...lines, end].map((line) => line + lineEnd).join(''))]);
}

type Line = { readonly text: string; readonly start: number; readonly end: number; readonly lineEnd: string };

/** Lines as Latin-1, one character a byte: enough to find ours. A byte order mark before the first is no part of it. */
function linesOf(file: Buffer): Line[] {
  const text = file.toString('latin1');
  const lines: Line[] = [];
  for (let start = 0; start < text.length; ) {
    const at = text.indexOf('\n', start);
    const stop = at === -1 ? text.length : at + 1;
    const whole = text.slice(start, stop);
    const lineEnd = /\r?\n$/.exec(whole)?.[0] ?? '';
    const bare = whole.slice(0, whole.length - lineEnd.length);
    lines.push({ text: start === 0 ? bare.replace(/^\u00ef\u00bb\u00bf/, '') : bare, start, end: stop, lineEnd });
    start = stop;
  }
  return lines;
}

function startsWith(file: Buffer, bytes: readonly number[]): boolean {
  return bytes.every((byte, index) => file[index] === byte);
}
