// Our own exports. The head line says by which format the rest is to be read, and how many records there are: a file that was cut short
// must not pass for a whole one.
import { type RecordKind, recordKinds } from '#daemon/storage/records/kinds.ts';
import { exportFormat, exportHead, headKind } from '../format/head.ts';
import { parseLine, readLines } from './lines.ts';
import type { Item, Reader } from './reader.ts';

export const lociReader: Reader = {
  source: 'loci',
  detects: ({ head }) => new RegExp(`^\\uFEFF?\\s*\\{\\s*"kind"\\s*:\\s*"${headKind}"`).test(head),
  *read({ path }, { progress }): Generator<Item> {
    const found = new Map<string, number>();
    let promised: Partial<Record<RecordKind, number>> | null = null;
    for (const line of readLines(path, progress)) {
      const parsed = parseLine(line);
      if ('problem' in parsed) yield parsed;
      else if (parsed.value.kind === headKind) {
        const head = exportHead.safeParse(parsed.value);
        if (!head.success) yield { line: parsed.line, problem: 'the head line is not one of an export of Loci' };
        else if (head.data.format > exportFormat) {
          yield {
            line: parsed.line,
            problem: `the file was written in format ${head.data.format}, this Loci reads up to ${exportFormat}: update Loci`,
          };
          return;
        } else promised = add(promised, head.data.counts);
      } else {
        const kind = String(parsed.value.kind);
        found.set(kind, (found.get(kind) ?? 0) + 1);
        yield { line: parsed.line, record: parsed.value };
      }
    }
    yield* shortfalls(promised, found);
  },
};

/** Two exports may stand one behind the other in one file. */
function add(a: Partial<Record<RecordKind, number>> | null, b: Partial<Record<RecordKind, number>>) {
  return Object.fromEntries(recordKinds.map((kind) => [kind, (a?.[kind] ?? 0) + (b[kind] ?? 0)]));
}

function* shortfalls(
  promised: Partial<Record<RecordKind, number>> | null,
  found: Map<string, number>,
): Generator<Item> {
  if (promised === null) {
    yield { line: 1, problem: 'the head line is missing: this is no whole export of Loci' };
    return;
  }
  const short = recordKinds.filter((kind) => (found.get(kind) ?? 0) < (promised[kind] ?? 0));
  if (short.length === 0) return;
  const told = short.map((kind) => `${found.get(kind) ?? 0} of ${promised[kind]} ${kind} records`).join(', ');
  yield { line: null, problem: `the file is cut short: it holds ${told}` };
}
