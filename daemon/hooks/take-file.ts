// A file of an agent's memory folder becomes a memory, and the same memory again when the file is written again.
import { createHash } from 'node:crypto';
import { readSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { type CallContext, internalContext } from '#daemon/kernel/context.ts';
import {
  changeMemory,
  emptyDraft,
  type Memory,
  type MemoryDraft,
  memoryById,
  saveMemory,
} from '#daemon/memories/index.ts';
import { openOwnFile } from '#daemon/transcripts/open-file.ts';
import type { memoryTakeFile } from '#shared/contract/hooks.ts';
import type { OutputOf } from '#shared/contract/operation.ts';
import { invalidField } from '#shared/errors.ts';
import { isMemoryFile } from '#shared/memory-files.ts';
import type { HookDeps } from './deps.ts';
import { type MemoryFile, readMemoryFile } from './memory-file.ts';
import { keepTakenFile, takenFile } from './taken-files.repository.ts';

export type TakeFileRequest = {
  readonly path: string;
  readonly agent: string | null;
  readonly session: string | null;
  readonly project: string | null;
};

type Answer = OutputOf<typeof memoryTakeFile>;

const maxFileBytes = 1_000_000;

/** Throws `invalid_input` for a path that leads to no memory file and `not_found` for one that leads nowhere. */
export async function takeFile(deps: HookDeps, request: TakeFileRequest, context: CallContext): Promise<Answer> {
  const { path } = request;
  if (!isAbsolute(path) || !isMemoryFile(path)) {
    throw invalidField('path', 'must be the absolute path of a .md file in the memory folder of an agent');
  }
  return deps.memories.mutex.run([`file\n${context.userId}\n${path}`], () => take(deps, request, context));
}

async function take(deps: HookDeps, request: TakeFileRequest, context: CallContext): Promise<Answer> {
  const { memories: room } = deps;
  const { path, agent, session } = request;
  const text = readText(path);
  const file = readMemoryFile(text);
  const place = await room.resolver.resolve(context.folder);
  const project = request.project ?? place.name;
  if (file === null) return { id: null, outcome: 'skipped', why: 'the file says nothing that is not stored', project };
  if (file.redactions > 0 && deps.settings.secrets === 'refuse') {
    return { id: null, outcome: 'skipped', why: 'the file holds a secret', project };
  }
  const textHash = createHash('sha256').update(text).digest('hex');
  const taken = await takenFile(room.database.db, context.userId, path);
  const before = taken === null ? null : await memoryById(room.database.db, context.userId, taken.memoryId);
  const present = before?.status === 'active' ? before : null;
  if (present !== null && taken?.textHash === textHash)
    return { id: present.id, outcome: 'unchanged', why: null, project };

  const answer =
    present !== null && present.metadata.memory_file === path
      ? await change(deps, present, file, context)
      : await saveMemory(
          room,
          {
            draft: {
              ...fieldsOf(
                { ...emptyDraft(context, room.clock.now()), branch: place.branch, worktree: place.worktree },
                file,
                path,
              ),
              agent: agent ?? context.agent,
              session: session ?? context.session,
            },
            project,
            supersedes: [],
            onDuplicate: 'merge',
          },
          context,
        );
  const row = { userId: context.userId, path, memoryId: answer.id, textHash, nowMs: room.clock.now() };
  await room.database.write(internalContext, (trx) => keepTakenFile(trx, row));
  return { id: answer.id, outcome: answer.outcome, why: null, project };
}

/** The file's own memory takes on its new text; what people added to it (labels, importance, a pin) stays. */
async function change(deps: HookDeps, present: Memory, file: MemoryFile, context: CallContext) {
  const path = String(present.metadata.memory_file);
  const patch = { action: 'updated', apply: (memory: Memory) => fieldsOf(memory, file, path) };
  return changeMemory(deps.memories, present.id, patch, context, (memory, changed) => ({
    id: memory.id,
    outcome: changed ? ('updated' as const) : ('unchanged' as const),
  }));
}

function fieldsOf(draft: MemoryDraft, file: MemoryFile, path: string): MemoryDraft {
  const { title, context, content, type } = file;
  return { ...draft, title, context, content, type, metadata: { ...file.metadata, memory_file: path } };
}

function readText(path: string): string {
  const file = openOwnFile(path);
  try {
    if (file.sizeBytes > maxFileBytes)
      throw invalidField('path', `must lead to a file of at most ${maxFileBytes} bytes`);
    const bytes = Buffer.alloc(file.sizeBytes);
    return bytes.subarray(0, readSync(file.descriptor, bytes, 0, bytes.length, 0)).toString('utf8');
  } finally {
    file.close();
  }
}
