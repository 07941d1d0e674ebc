// Where a thing comes from, as every kind of the knowledge catalogue keeps it. Lists are JSON text in their column.
import type { EncodingAgent } from '#daemon/kernel/context.ts';
import type { ProvenanceColumns } from './tables/things.ts';

/** What a caller may say: absent leaves alone, null clears. */
export type ProvenanceInput = {
  readonly source_repo?: string | null | undefined;
  readonly source_files?: readonly string[] | null | undefined;
  readonly source_url?: string | null | undefined;
  readonly confidence?: number | null | undefined;
  readonly encoding_agent?: string | null | undefined;
  readonly encoding_version?: string | null | undefined;
  readonly agent_id?: string | null | undefined;
  readonly agent_version?: string | null | undefined;
  readonly agent_model?: string | null | undefined;
};

export type ProvenanceRow = {
  [Column in keyof ProvenanceColumns]: Column extends 'source_files' ? string : ProvenanceColumns[Column];
};

/** The columns of something new; what the caller leaves out, its environment says. */
export function newProvenance(input: ProvenanceInput, encoding: EncodingAgent): ProvenanceRow {
  return {
    source_repo: input.source_repo ?? null,
    source_files: JSON.stringify(input.source_files ?? []),
    source_url: input.source_url ?? null,
    confidence: input.confidence ?? null,
    encoding_agent: input.encoding_agent ?? encoding.encodingAgent,
    encoding_version: input.encoding_version ?? encoding.encodingVersion,
    agent_id: input.agent_id ?? encoding.agentId,
    agent_version: input.agent_version ?? encoding.agentVersion,
    agent_model: input.agent_model ?? encoding.agentModel,
  };
}

/** The columns after an update. */
export function patchedProvenance(present: ProvenanceRow, input: ProvenanceInput): ProvenanceRow {
  const given = <T>(value: T | undefined, old: T): T => (value === undefined ? old : value);
  const { source_files: files } = input;
  return {
    source_repo: given(input.source_repo, present.source_repo),
    source_files: files === undefined ? present.source_files : JSON.stringify(files ?? []),
    source_url: given(input.source_url, present.source_url),
    confidence: given(input.confidence, present.confidence),
    encoding_agent: given(input.encoding_agent, present.encoding_agent),
    encoding_version: given(input.encoding_version, present.encoding_version),
    agent_id: given(input.agent_id, present.agent_id),
    agent_version: given(input.agent_version, present.agent_version),
    agent_model: given(input.agent_model, present.agent_model),
  };
}

/** The columns in the words of the catalogue. */
export function provenanceToWords(row: ProvenanceRow) {
  return {
    source_repo: row.source_repo,
    source_files: JSON.parse(row.source_files) as string[],
    source_url: row.source_url,
    confidence: row.confidence,
    encoding_agent: row.encoding_agent,
    encoding_version: row.encoding_version,
    agent_id: row.agent_id,
    agent_version: row.agent_version,
    agent_model: row.agent_model,
  };
}
