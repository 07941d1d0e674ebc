// What is sent of a path. A folder is packed into lines of JSON, a file each: only texts of Markdown, because the programs whose folders
// Loci reads keep nothing else of theirs there.
import {
  closeSync,
  createReadStream,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { createGunzip } from 'node:zlib';
import { LociError } from '#shared/errors.ts';
import type { ProjectOf } from './folder-projects.ts';

const maxFileBytes = 8 * 2 ** 20;
const skippedFolders: ReadonlySet<string> = new Set(['node_modules', '.git', '.obsidian', '.trash']);

export function filesOf(path: string): AsyncIterable<Uint8Array> {
  return createReadStream(path) as AsyncIterable<Buffer>;
}

/** Whether a file is compressed, as `loci export | gzip` leaves it. */
export function isCompressed(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const mark = Buffer.alloc(2);
    return readSync(file, mark, 0, 2, 0) === 2 && mark[0] === 0x1f && mark[1] === 0x8b;
  } finally {
    closeSync(file);
  }
}

/** What a compressed file holds. Throws `invalid_input` where it is cut short or damaged. */
export async function* unpackedFile(path: string): AsyncGenerator<Uint8Array> {
  const file = createReadStream(path);
  const unpacking = createGunzip();
  file.on('error', (error) => unpacking.destroy(error));
  try {
    yield* file.pipe(unpacking) as AsyncIterable<Buffer>;
  } catch {
    throw new LociError('invalid_input', `${path} is compressed, and cut short or damaged.`);
  } finally {
    file.destroy();
  }
}

/** The write-ahead log beside a database that is in use: without it the newest rows would be missing. */
export function walOf(path: string): AsyncIterable<Uint8Array> | null {
  const wal = `${path}-wal`;
  return existsSync(wal) && statSync(wal).size > 0 ? filesOf(wal) : null;
}

export function isMarkdown(path: string): boolean {
  return /\.(md|markdown)$/i.test(path);
}

/**
 * The head line of a packed folder, then every Markdown file below it in the order of their paths; of one such file, that one in its folder.
 * Symbolic links are not followed.
 */
export async function* folderLines(path: string, projectOf: ProjectOf): AsyncGenerator<Uint8Array> {
  const isFolder = statSync(path).isDirectory();
  const folder = isFolder ? path : dirname(path);
  const paths = isFolder ? markdownBelow(folder) : [path];
  if (paths.length === 0)
    throw new LociError('not_found', `There is no Markdown file below ${folder}.`, { path: folder });
  // the last folders tell the files of one folder from those of another, on every machine alike
  const name = realpathSync(folder).split(sep).slice(-2).join('/');
  yield line({ loci_folder: 1, name });
  for (const file of paths) {
    const { size, mtimeMs } = statSync(file);
    const below = relative(folder, file).split(sep).join('/');
    const modified_at = new Date(mtimeMs).toISOString();
    if (size > maxFileBytes) yield line({ path: below, problem: 'the file is larger than 8 MB' });
    else {
      const project = await projectOf(realpathSync(file));
      yield line({
        path: below,
        modified_at,
        ...(project === null ? {} : { project }),
        text: readFileSync(file, 'utf8'),
      });
    }
  }
}

function line(value: object): Uint8Array {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}

function markdownBelow(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return skippedFolders.has(entry.name) ? [] : markdownBelow(path);
    return entry.isFile() && isMarkdown(entry.name) ? [path] : [];
  });
}
