import type { SourceKind } from '#shared/contract/transfer.ts';
import { uidFrom } from '../source-uid.ts';
import type { ReaderTools } from './reader.ts';

type Request = { readonly userUid: string; readonly project: string | null; readonly nowMs: number };

/** What a reader needs besides the file. */
export function createReaderTools(
  source: SourceKind,
  request: Request,
  progress: (bytes: number) => void,
): ReaderTools {
  const nowIso = new Date(request.nowMs).toISOString();
  const known = new Set<string>();
  const uidFor: ReaderTools['uidFor'] = (kind, ...sourceId) => uidFrom(source, request.userUid, kind, ...sourceId);
  return {
    uidFor,
    nowIso,
    project0: request.project,
    progress,
    project(name) {
      const trimmed = name.trim().slice(0, 500).toWellFormed();
      const key = trimmed.toLowerCase();
      const uid = uidFor('project', key);
      if (known.has(key)) return { uid, items: [] };
      known.add(key);
      const record = { kind: 'project', uid, name: trimmed, created_at: nowIso, updated_at: nowIso };
      return { uid, items: [{ line: null, record, isTimed: false }] };
    },
  };
}
