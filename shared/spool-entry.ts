// What a hook leaves for the daemon: where to look, never what was said. A transcript or a file may hold a secret, and only the daemon
// takes secrets out; so a spooled entry is a path and who wrote it, one small file each in the spool folder.

export type SpoolKind = 'transcript' | 'file';

export type SpoolEntry = {
  readonly kind: SpoolKind;
  /** Absolute. */
  readonly path: string;
  readonly agent: string | null;
  readonly session: string | null;
  /** The folder the session worked in: the project comes from it. */
  readonly folder: string | null;
};

/** More entries than this are not kept waiting. */
export const maxSpoolEntries = 500;
/** A longer file is no entry. */
export const maxSpoolEntryBytes = 32 * 1024;
export const spoolSuffix = '.json';

/** The same for the same thing, so that a transcript that is left twice waits once. FNV-1a, 64 bits in hex. */
export function spoolNameOf({ kind, path }: Pick<SpoolEntry, 'kind' | 'path'>): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(path)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return `${kind}-${hash.toString(16).padStart(16, '0')}${spoolSuffix}`;
}

export function spoolEntryToText(entry: SpoolEntry): string {
  return `${JSON.stringify({ v: 1, ...entry })}\n`;
}

/** The entry, or null for what is none. */
export function parseSpoolEntry(content: string): SpoolEntry | null {
  try {
    const { v, kind, path, agent, session, folder } = JSON.parse(content) as Record<string, unknown>;
    if (v !== 1 || (kind !== 'transcript' && kind !== 'file') || typeof path !== 'string' || path === '') return null;
    return { kind, path, agent: textOrNull(agent), session: textOrNull(session), folder: textOrNull(folder) };
  } catch {
    return null;
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
