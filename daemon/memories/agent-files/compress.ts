// Memory files whose text is a memory already cost an agent its context twice: they become stubs. The original is in the database
// before a byte of the file changes, so that a crash in between leaves the file as it was, and `restore.ts` brings it back.
import { readdir } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import type { CallContext } from '#daemon/kernel/context.ts';
import { invalidField } from '#shared/errors.ts';
import type { MemoryDeps } from '../deps.ts';
import { withoutClaim } from '../in-small-transactions.ts';
import { memoryById } from '../memories.repository.ts';
import { compressedFile, dropOriginal, keepOriginal } from './compressed-files.repository.ts';
import { memoryFoldersIn } from './memory-folders.ts';
import { type ReadFile, readWhole, replaceFile } from './replace-file.ts';
import { hashOf, isStub, stubOf, textsOf } from './stub.ts';

export type Compressed = {
  readonly file: string;
  readonly memory: number;
  readonly before: number;
  readonly after: number;
};

/** Replaces memory files below `root` (the agent's folder unless given) by stubs, or says which it would. */
export async function compressFiles(
  deps: MemoryDeps,
  { root, dryRun }: { root: string | null; dryRun: boolean },
  context: CallContext,
): Promise<Compressed[]> {
  const folder = folderOf(deps, root, context);
  const compressed: Compressed[] = [];
  for (const path of folder === null ? [] : await notesIn(folder)) {
    const file = await readWhole(path);
    if (file === null || isStub(file.bytes)) continue;
    const done = await compressOne(deps, file, dryRun, context);
    if (done !== null) compressed.push(done);
  }
  return compressed;
}

async function compressOne(
  deps: MemoryDeps,
  file: ReadFile,
  dryRun: boolean,
  context: CallContext,
): Promise<Compressed | null> {
  const { ids } = await deps.reader.ask('contentOwners', { userId: context.userId, texts: textsOf(file.bytes) });
  const id = ids.find((one) => one !== null) ?? null;
  const memory = id === null ? null : await memoryById(deps.database.db, context.userId, id);
  if (memory === null) return null;
  const stub = stubOf(memory);
  if (stub.length >= file.bytes.length) return null;
  const done = { file: file.path, memory: memory.id, before: file.bytes.length, after: stub.length };
  if (dryRun) return done;
  const { userId } = context;
  const kept = { path: file.path, memoryId: memory.id, original: file.bytes, stubHash: hashOf(stub) };
  const by = { userId, nowMs: deps.clock.now() };
  const earlier = await compressedFile(deps.database.db, userId, file.path);
  await deps.database.write(withoutClaim(context), (trx) => keepOriginal(trx, { ...kept, ...by }));
  if (await replaceFile(file, stub)) return done;
  await deps.database.write(withoutClaim(context), (trx) =>
    earlier === null ? dropOriginal(trx, file.path) : keepOriginal(trx, { ...earlier, ...by }),
  );
  return null;
}

/** `root` as a client in its folder means it. Throws `invalid_input` for a relative one of a client without a folder. */
function folderOf({ agentFolder }: MemoryDeps, root: string | null, { folder }: CallContext): string | null {
  if (root === null) return agentFolder;
  if (!isAbsolute(root) && folder === null) throw invalidField('root', 'must be an absolute path');
  return resolve(folder ?? '/', root);
}

/** Every `.md` in the memory folders but the index, which the agent reads first. */
async function notesIn(root: string): Promise<string[]> {
  const notes: string[] = [];
  for (const { path } of await memoryFoldersIn(root)) {
    const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
    for (const { name } of entries) if (/\.md$/i.test(name) && name !== 'MEMORY.md') notes.push(join(path, name));
  }
  return notes.sort();
}
