// How a column of a table is written in an export, and read back. One list a kind serves both ways, so that nothing is written out that
// cannot come back in: a field that only one side knew would be lost in the move.

export type FieldType = 'text' | 'number' | 'flag' | 'time' | 'list' | 'object';

export type Field = {
  /** In the export. */
  readonly word: string;
  readonly column: string;
  readonly type: FieldType;
};

export type Row = Readonly<Record<string, unknown>>;
/** One thing as an export holds it, without `kind`. */
export type ExportRecord = Readonly<Record<string, unknown>>;

export function text(...words: string[]): Field[] {
  return words.map((word) => ({ word, column: word, type: 'text' }));
}

export function number(...words: string[]): Field[] {
  return words.map((word) => ({ word, column: word, type: 'number' }));
}

export function flag(...words: string[]): Field[] {
  return words.map((word) => ({ word, column: word, type: 'flag' }));
}

export function time(...words: string[]): Field[] {
  return words.map((word) => ({ word, column: word, type: 'time' }));
}

export function list(...words: string[]): Field[] {
  return words.map((word) => ({ word, column: word, type: 'list' }));
}

export function object(...words: string[]): Field[] {
  return words.map((word) => ({ word, column: word, type: 'object' }));
}

/** Where a thing comes from, as most kinds keep it. */
export const provenance: readonly Field[] = [
  ...text('source_repo'),
  ...list('source_files'),
  ...text('source_url'),
  ...number('confidence'),
  ...text('encoding_agent', 'encoding_version', 'agent_id', 'agent_version', 'agent_model'),
];

/** A row's columns in the words of the export. */
export function rowToRecord(fields: readonly Field[], row: Row): Record<string, unknown> {
  return Object.fromEntries(fields.map(({ word, column, type }) => [word, fromColumn(type, row[column])]));
}

/** A record's fields as columns; a field that the record lacks is left out. */
export function recordToRow(fields: readonly Field[], record: ExportRecord): Record<string, unknown> {
  return Object.fromEntries(
    fields
      .filter(({ word }) => record[word] !== undefined)
      .map(({ word, column, type }) => [column, toColumn(type, record[word])]),
  );
}

function fromColumn(type: FieldType, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  switch (type) {
    case 'flag':
      return value === 1;
    case 'time':
      return msToInstant(value as number);
    case 'list':
    case 'object':
      return JSON.parse(value as string);
    default:
      return value;
  }
}

function toColumn(type: FieldType, value: unknown): unknown {
  if (value === null) return null;
  switch (type) {
    case 'flag':
      return value === true ? 1 : 0;
    case 'time':
      return Date.parse(value as string);
    case 'list':
    case 'object':
      return JSON.stringify(value);
    default:
      return value;
  }
}

/** UTC with milliseconds. */
export function msToInstant(ms: number): string {
  return new Date(ms).toISOString();
}
