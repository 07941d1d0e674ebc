// The archive of a backup: a gzip'ed tar of two members, the manifest and the database. Somebody may hand us one that was made to
// harm, so what is read from it never decides where anything is written: an archive with any other member (a link, a path, a third
// file) is refused before the first byte of it is unpacked, and the two known ones go to names of our own.
// (Node 20 has no zstd; vectors do not shrink anyway, so gzip at its fastest is all there is to gain.) It is packed a megabyte at a time,
// each a gzip member of its own, in the thread that asks: a stream would pack in the pool of threads that the whole daemon shares.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  createReadStream,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { createGunzip, gzipSync } from 'node:zlib';
import { create, Parser, type ReadEntry } from 'tar';
import { LociError } from '#shared/errors.ts';
import { type Manifest, manifestMember, manifestSchema } from './manifest.ts';

const maxManifestBytes = 64 * 1024;
const memberBytes = 1 << 20;
/** An empty gzip member ends each archive: one that is cut off ends otherwise. */
const lastMember = gzipSync(Buffer.alloc(0), { level: 1 });
/** Written through to the disk in parts: one large sync at the end would hold up the commits of the daemon for seconds. */
const syncEveryBytes = 4 * 2 ** 20;

/** Packs the manifest of `folder` and its database, the file `member`, into `file`, which must not exist, and syncs it. Mode 0600. */
export async function writeArchive(folder: string, member: string, file: string): Promise<void> {
  const descriptor = openSync(file, 'wx', 0o600);
  try {
    const members = create({ cwd: folder, portable: true }, [manifestMember, member]);
    let unsyncedBytes = 0;
    let waiting: Buffer[] = [];
    let waitingBytes = 0;
    const pack = (): void => {
      const packed = gzipSync(Buffer.concat(waiting), { level: 1 });
      writeSync(descriptor, packed);
      [waiting, waitingBytes] = [[], 0];
      unsyncedBytes += packed.length;
      if (unsyncedBytes < syncEveryBytes) return;
      fdatasyncSync(descriptor);
      unsyncedBytes = 0;
    };
    for await (const chunk of members) {
      waiting.push(chunk as Buffer);
      waitingBytes += chunk.length;
      if (waitingBytes >= memberBytes) pack();
    }
    if (waitingBytes > 0) pack();
    writeSync(descriptor, lastMember);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The manifest of an archive, of which no more than that is read. Throws `conflict` where it is none of ours or damaged. */
export async function readManifest(file: string): Promise<Manifest> {
  let manifest: Manifest | null = null;
  await walk(file, {
    isEnough: () => manifest !== null,
    member: (name) => {
      if (manifest !== null) return () => undefined; // of a small archive the rest comes along with it
      if (name !== manifestMember) throw refused('its first member is not the manifest');
      return collect((bytes) => {
        manifest = parseManifest(bytes);
      });
    },
  });
  if (manifest === null) throw refused('it holds no manifest');
  refuseCutOff(file);
  return manifest;
}

/** So a list can tell most damage without reading on; whether each byte is right only `checkArchive` knows. */
function refuseCutOff(file: string): void {
  const descriptor = openSync(file, 'r');
  try {
    const tail = Buffer.alloc(lastMember.length);
    readSync(descriptor, tail, 0, tail.length, Math.max(0, fstatSync(descriptor).size - tail.length));
    // the operating system's letter in the header is the writer's, not ours
    if (!tail.subarray(10).equals(lastMember.subarray(10))) throw refused('it is cut off');
  } finally {
    closeSync(descriptor);
  }
}

/** Reads the whole archive and compares every byte with the manifest; writes nothing. Throws `conflict` with what is wrong. */
export async function checkArchive(file: string): Promise<Manifest> {
  return readWhole(file, null);
}

/** Checks the archive, then writes its database to `target`, which must not exist, and syncs it. */
export async function unpackArchive(file: string, target: string): Promise<Manifest> {
  await checkArchive(file);
  const descriptor = openSync(target, 'wx', 0o600);
  try {
    const manifest = await readWhole(file, (chunk) => writeSync(descriptor, chunk));
    fsyncSync(descriptor);
    return manifest;
  } finally {
    closeSync(descriptor);
  }
}

async function readWhole(file: string, keep: ((chunk: Buffer) => void) | null): Promise<Manifest> {
  let manifest: Manifest | null = null;
  const hash = createHash('sha256');
  let databaseBytes: number | null = null;
  await walk(file, {
    isEnough: () => false,
    member(name) {
      if (name === manifestMember && manifest === null) {
        return collect((bytes) => {
          manifest = parseManifest(bytes);
        });
      }
      const isDatabase = manifest !== null && name === (manifest as Manifest).files[0]?.name;
      if (!isDatabase || databaseBytes !== null) throw refused(`it holds "${name}"`);
      databaseBytes = 0;
      return (chunk) => {
        if (chunk === null) return;
        databaseBytes = (databaseBytes ?? 0) + chunk.length;
        hash.update(chunk);
        keep?.(chunk);
      };
    },
  });
  const [expected] = (manifest as Manifest | null)?.files ?? [];
  if (manifest === null || expected === undefined) throw refused('it holds no manifest');
  if (databaseBytes !== expected.bytes) throw refused('its database is not whole');
  if (hash.digest('hex') !== expected.sha256) throw refused('its database is not the one that was saved');
  return manifest;
}

/** Gets a member's bytes, and null at its end. */
type Sink = (chunk: Buffer | null) => void;

type Walk = {
  /** What takes the bytes of a member; throws to refuse the archive. */
  readonly member: (name: string) => Sink;
  readonly isEnough: () => boolean;
};

async function walk(file: string, { member, isEnough }: Walk): Promise<void> {
  let fault: unknown = null;
  const parser = new Parser({ strict: true, gzip: false });
  parser.on('error', (error: unknown) => {
    fault ??= error;
  });
  parser.on('entry', (entry: ReadEntry) => {
    try {
      if (fault !== null) throw fault;
      if (entry.type !== 'File' || (entry.linkpath ?? '') !== '') throw refused(`"${entry.path}" is no plain file`);
      const sink = member(entry.path);
      entry.on('data', guarded(sink));
      entry.on('end', () => guarded(sink)(null));
    } catch (error) {
      fault ??= error;
      entry.resume();
    }
  });

  function guarded(sink: Sink): Sink {
    return (chunk) => {
      try {
        if (fault === null) sink(chunk);
      } catch (error) {
        fault = error;
      }
    };
  }

  const source = createReadStream(file);
  const unpacked = createGunzip();
  source.on('error', (error) => unpacked.destroy(error));
  try {
    for await (const chunk of source.pipe(unpacked)) {
      const goesOn = parser.write(chunk as Buffer);
      if (fault !== null || isEnough()) break;
      if (!goesOn) await once(parser, 'drain');
    }
    if (fault === null && !isEnough()) {
      const ended = once(parser, 'end');
      parser.end();
      await ended;
    }
  } catch (error) {
    fault ??= error;
  } finally {
    source.destroy();
  }
  if (fault === null) return;
  if (fault instanceof LociError || isSystemError(fault)) throw fault;
  throw refused('it is cut off or is no archive');
}

function collect(done: (bytes: Buffer) => void): Sink {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  return (chunk) => {
    if (chunk === null) return done(Buffer.concat(chunks));
    sizeBytes += chunk.length;
    if (sizeBytes > maxManifestBytes) throw refused('its manifest is too large');
    chunks.push(chunk);
  };
}

function parseManifest(bytes: Buffer): Manifest {
  try {
    return manifestSchema.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    throw refused('its manifest cannot be read');
  }
}

/** Of the disk, not of the archive: permission, space, a file that went away. */
function isSystemError(error: unknown): boolean {
  return typeof (error as { syscall?: unknown }).syscall === 'string';
}

function refused(why: string): LociError {
  return new LociError('conflict', `The backup is damaged: ${why}.`);
}
