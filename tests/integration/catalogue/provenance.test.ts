import { describe, expect, it } from 'vitest';
import { noEncodingAgent } from '#daemon/kernel/context.ts';
import { openTestStore, type TestStore } from '../../support/test-store.ts';

const said = {
  LOCI_PROVENANCE_ENCODING_AGENT: 'house-agent',
  LOCI_PROVENANCE_ENCODING_VERSION: '9',
  LOCI_PROVENANCE_AGENT_ID: 'house',
  LOCI_PROVENANCE_AGENT_VERSION: '7',
  LOCI_PROVENANCE_AGENT_MODEL: 'house-model',
};
const house = {
  encoding_agent: 'house-agent',
  encoding_version: '9',
  agent_id: 'house',
  agent_version: '7',
  agent_model: 'house-model',
};
const callers = { encoding_agent: 'caller', agent_model: 'own-model' };

/** How each kind is created, read and changed. */
const kinds: Record<
  string,
  { create: string; input: object; read: string; update: string; id: string; change: object }
> = {
  note: {
    create: 'create_memory',
    input: { title: 'A', content: 'alpha one', context: '', keywords: [], tags: [], importance: 5 },
    read: 'get_memory',
    update: 'update_memory',
    id: 'memory_id',
    change: { title: 'B' },
  },
  project: { ...verbs('project', 'project_id'), input: { name: 'shop' }, change: { notes: 'B' } },
  'code artifact': {
    ...verbs('code_artifact', 'artifact_id'),
    input: { title: 'A', code: 'x()', language: 'python' },
    change: { title: 'B' },
  },
  document: { ...verbs('document', 'document_id'), input: { title: 'A', content: 'alpha' }, change: { title: 'B' } },
  file: {
    ...verbs('file', 'file_id'),
    input: { filename: 'a', description: 'a', data: 'YQ==', mime_type: 'text/plain' },
    change: { filename: 'b' },
  },
  skill: {
    ...verbs('skill', 'skill_id'),
    input: { name: 'a', description: 'a', content: 'a' },
    change: { content: 'b' },
  },
  entity: { ...verbs('entity', 'entity_id'), input: { name: 'A', entity_type: 'Team' }, change: { notes: 'b' } },
  plan: { ...verbs('plan', 'plan_id'), input: { title: 'A', project_id: 1 }, change: { goal: 'b' } },
  task: { ...verbs('task', 'task_id'), input: { title: 'A', plan_id: 1 }, change: { title: 'B' } },
};

function verbs(kind: string, id: string) {
  return { create: `create_${kind}`, read: `get_${kind}`, update: `update_${kind}`, id };
}

async function open(env: Record<string, string>): Promise<TestStore> {
  const store = await openTestStore({ env });
  await store.call('create_project', { name: 'first' });
  await store.call('create_plan', { title: 'first', project_id: 1 });
  return store;
}

describe('provenance.* settings', () => {
  it.each(Object.entries(kinds))('K96 fill what the caller of a new %s leaves out or says is null', async (_, kind) => {
    const { call } = await open(said);
    const { id } = await call<{ id: number }>(kind.create, { ...kind.input, ...callers, agent_id: null });
    expect(await call(kind.read, { [kind.id]: id })).toMatchObject({ ...house, ...callers });
  });

  it.each(Object.entries(kinds))(
    'K96 replace with `enforce` what the caller of a %s says, on an update only what was sent',
    async (_, kind) => {
      const { call } = await open({ ...said, LOCI_PROVENANCE_ENFORCE: 'true' });
      const { id } = await call<{ id: number }>(kind.create, { ...kind.input, ...callers });
      const thing = { [kind.id]: id };
      expect(await call(kind.read, thing)).toMatchObject(house);
      await call(kind.update, { ...thing, ...callers, ...kind.change });
      expect(await call(kind.read, thing)).toMatchObject({ ...house, ...kind.change });
    },
  );

  it('K96 hold for relationships, for memory_save and for a batch of it', async () => {
    for (const enforce of ['false', 'true']) {
      const { call } = await open({ ...said, LOCI_PROVENANCE_ENFORCE: enforce });
      const agent = enforce === 'true' ? 'house-agent' : 'caller';
      for (const name of ['A', 'B']) await call('create_entity', { name, entity_type: 'Team' });
      const relationship = { from_entity_id: 1, to_entity_id: 2, relationship_type: 'knows', encoding_agent: 'caller' };
      expect(await call('create_entity_relationship', relationship)).toMatchObject({ ...house, encoding_agent: agent });
      const saved = await call<{ id: number }>('memory_save', { content: 'beta two', encoding_agent: 'caller' });
      const { results } = await call<{ results: { id: number }[] }>('memory_save_many', {
        memories: [{ content: 'gamma three', encoding_agent: 'caller' }],
      });
      for (const { id } of [saved, ...results]) {
        expect(await call('memory_get', { id })).toMatchObject({ encoding_agent: agent, encoding_version: '9' });
      }
    }
  });

  it('K96 come after what the environment of the agent says, or with `enforce` before it', async () => {
    const encoding = { ...noEncodingAgent, encodingAgent: 'environment' };
    for (const [enforce, agent] of [
      ['false', 'environment'],
      ['true', 'house-agent'],
    ] as const) {
      const { call } = await open({ ...said, LOCI_PROVENANCE_ENFORCE: enforce });
      const { id } = await call<{ id: number }>('memory_save', { content: 'delta four' }, { encoding });
      expect(await call('memory_get', { id })).toMatchObject({ encoding_agent: agent, encoding_version: '9' });
    }
  });

  it('K96 never say who claims a task', async () => {
    const { call } = await open({ ...said, LOCI_PROVENANCE_ENFORCE: 'true' });
    await call('create_task', { title: 'A', plan_id: 1 });
    expect(await call('claim_task', { task_id: 1, agent_id: 'builder', version: 1 })).toMatchObject({
      assigned_agent: 'builder',
    });
  });
});
