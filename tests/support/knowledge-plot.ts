// A small store with one thing of every kind that the graph knows, and every tie between them that can be made.
import type { TestStore } from './test-store.ts';

type Made = { id: number };

export type Plot = {
  readonly project: number;
  readonly memory: number;
  readonly other: number;
  readonly entity: number;
  readonly partner: number;
  readonly document: number;
  readonly artifact: number;
  readonly file: number;
  readonly skill: number;
  readonly plan: number;
  readonly task: number;
};

export async function plantPlot(store: TestStore): Promise<Plot> {
  const make = async (name: string, input: object): Promise<number> => (await store.call<Made>(name, input)).id;
  const note = { context: '', keywords: [], tags: [], importance: 7 };
  const project = await make('create_project', { name: 'shop', description: 'a shop' });
  const document = await make('create_document', {
    title: 'Handbook',
    content: '# Operations\n\nHow we work.',
    project_id: project,
  });
  const artifact = await make('create_code_artifact', {
    title: 'Retry',
    description: 'retries',
    code: 'retry()',
    language: 'python',
    project_id: project,
  });
  const file = await make('create_file', {
    filename: 'photo.png',
    description: 'the rack',
    data: 'aGVsbG8=',
    mime_type: 'image/png',
    project_id: project,
  });
  const skill = await make('create_skill', {
    name: 'reset-cache',
    description: 'Reset the cache',
    content: 'Do it.',
    project_id: project,
  });
  const attached = {
    project_ids: [project],
    document_ids: [document],
    code_artifact_ids: [artifact],
    file_ids: [file],
    skill_ids: [skill],
  };
  const memory = await make('create_memory', { title: 'Cache', content: 'caches are warm', ...note, ...attached });
  const other = await make('create_memory', { title: 'Printer', content: 'paper jams weekly', ...note });
  await store.call('link_memories', { memory_id: memory, related_ids: [other] });
  const entity = await make('create_entity', { name: 'Cache server', entity_type: 'Device', project_ids: [project] });
  const partner = await make('create_entity', { name: 'Ops', entity_type: 'Team' });
  await store.call('link_entity_to_memory', { entity_id: entity, memory_id: memory });
  await store.call('link_entity_to_file', { entity_id: entity, file_id: file });
  await make('create_entity_relationship', {
    from_entity_id: partner,
    to_entity_id: entity,
    relationship_type: 'owns',
  });
  await store.call('link_skill_to_file', { skill_id: skill, file_id: file });
  await store.call('link_skill_to_code_artifact', { skill_id: skill, code_artifact_id: artifact });
  await store.call('link_skill_to_document', { skill_id: skill, document_id: document });
  const plan = await make('create_plan', { title: 'Rebuild the cache', project_id: project });
  const task = await make('create_task', { title: 'Order parts', plan_id: plan });
  return { project, memory, other, entity, partner, document, artifact, file, skill, plan, task };
}
