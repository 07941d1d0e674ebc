// Where a plan or task comes from: nine optional fields, kept together as JSON because nothing ever looks for them.
import type { CallContext } from '#daemon/kernel/context.ts';
import type { TaskWords } from '#shared/contract/knowledge/tasks.ts';

export type Provenance = Pick<TaskWords, (typeof names)[number]>;

export type ProvenanceInput = { readonly [Name in keyof Provenance]?: Provenance[Name] | null | undefined };

const names = [
  'source_repo',
  'source_files',
  'source_url',
  'confidence',
  'encoding_agent',
  'encoding_version',
  'agent_id',
  'agent_version',
  'agent_model',
] as const;

const nothing: Provenance = {
  source_repo: null,
  source_files: [],
  source_url: null,
  confidence: null,
  encoding_agent: null,
  encoding_version: null,
  agent_id: null,
  agent_version: null,
  agent_model: null,
};

/** Of a new thing; where the call says nothing of the agent, its environment does. */
export function newProvenance(input: ProvenanceInput, { encoding }: CallContext): Provenance {
  // null is no answer to who wrote it
  const said = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
  return patchProvenance(
    {
      ...nothing,
      encoding_agent: encoding.encodingAgent,
      encoding_version: encoding.encodingVersion,
      agent_id: encoding.agentId,
      agent_version: encoding.agentVersion,
      agent_model: encoding.agentModel,
    },
    said,
  );
}

/** Absent leaves alone, null clears. */
export function patchProvenance(before: Provenance, input: ProvenanceInput): Provenance {
  const given = Object.fromEntries(
    names.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name] ?? nothing[name]]])),
  );
  return { ...before, ...given };
}

export function readProvenance(json: string): Provenance {
  return { ...nothing, ...(JSON.parse(json) as Partial<Provenance>) };
}
