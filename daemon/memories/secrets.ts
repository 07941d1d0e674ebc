import { refuseSecrets } from '#daemon/secrets/detect-secrets.ts';
import type { MemoryDraft } from './memory.ts';

/** Refuses a draft any of whose texts looks like a credential: `rejected_by_policy`, before anything reaches disk, log or vector. */
export function refuseSecretsIn(draft: MemoryDraft): void {
  refuseSecrets({
    title: draft.title,
    content: draft.content,
    context: draft.context,
    problem: draft.problem,
    solution: draft.solution,
    concepts: [...draft.concepts],
    tags: [...draft.tags],
    files: [...draft.files],
    source_context: draft.sourceContext,
    source_url: draft.sourceUrl,
    author: draft.author,
    metadata: JSON.stringify(draft.metadata),
  });
}
