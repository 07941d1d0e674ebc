// Who wrote something, as the settings say it: they fill what neither the caller nor its environment said, and with `provenance.enforce` they
// are what is written, whatever was said. Done once, before a handler, so that every kind of thing follows the same rule.
import type { Contract } from '#shared/contract/operation.ts';
import type { SettingValues } from '#shared/settings.ts';
import type { CallContext, EncodingAgent } from './context.ts';
import { isRecord } from './is-record.ts';

export type ProvenanceDefaults = { readonly agent: EncodingAgent; readonly enforce: boolean };

type Field = keyof EncodingAgent;

/** By the name of the field on the wire. */
const fields: Readonly<Record<string, Field>> = {
  encoding_agent: 'encodingAgent',
  encoding_version: 'encodingVersion',
  agent_id: 'agentId',
  agent_version: 'agentVersion',
  agent_model: 'agentModel',
};

export function provenanceDefaults(settings: SettingValues): ProvenanceDefaults {
  return {
    agent: {
      encodingAgent: settings['provenance.encoding_agent'],
      encodingVersion: settings['provenance.encoding_version'],
      agentId: settings['provenance.agent_id'],
      agentVersion: settings['provenance.agent_version'],
      agentModel: settings['provenance.agent_model'],
    },
    enforce: settings['provenance.enforce'],
  };
}

/** The call as its handler gets it. What a caller did not send is left out of an update, enforced or not. */
export function withProvenance<Input>(
  { agent, enforce }: ProvenanceDefaults,
  contract: Contract,
  input: Input,
  context: CallContext,
): { input: Input; context: CallContext } {
  const { encoding } = context;
  const pick = (field: Field): string | null => {
    return enforce ? (agent[field] ?? encoding[field]) : (encoding[field] ?? agent[field]);
  };
  return {
    input: enforce && saysWhoWrote(contract) ? enforced(input, agent) : input,
    context: {
      ...context,
      encoding: {
        encodingAgent: pick('encodingAgent'),
        encodingVersion: pick('encodingVersion'),
        agentId: pick('agentId'),
        agentVersion: pick('agentVersion'),
        agentModel: pick('agentModel'),
      },
    },
  };
}

/** Whether the input has the provenance block; `agent_id` alone is who claims a task, and nobody else's to say. */
function saysWhoWrote({ input }: Contract): boolean {
  return 'encoding_agent' in input.shape || 'memories' in input.shape;
}

/** The fields that were sent, of the thing itself and of each memory of a batch, replaced by what is set. */
function enforced<Input>(input: Input, agent: EncodingAgent): Input {
  if (!isRecord(input)) return input;
  const next: Record<string, unknown> = { ...input };
  for (const [name, field] of Object.entries(fields)) {
    if (next[name] !== undefined && agent[field] !== null) next[name] = agent[field];
  }
  if (Array.isArray(next.memories)) next.memories = next.memories.map((memory) => enforced(memory, agent));
  return next as Input;
}
