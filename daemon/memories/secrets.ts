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
    key: draft.key,
    // "db_password: …" is one where the two stand apart
    value: draft.key === null ? null : `${draft.key}: ${draft.content}`,
    source: draft.source,
    source_repo: draft.sourceRepo,
    session: draft.session,
    agent: draft.agent,
    encoding_agent: draft.encodingAgent,
    encoding_version: draft.encodingVersion,
    obsolete_reason: draft.obsoleteReason,
    metadata: JSON.stringify(draft.metadata),
  });
}
