// Four days of a team, told to the catalogue through MCP alone: calls of the shape in which agents were taught to make them, ids taken from the
// answers before. What each day was for is asked at its end.
import { describe, expect, it } from 'vitest';
import { connectToolClient, type ToolClient } from '../../support/tool-client.ts';

type Thing = { id: number };
type Found = {
  primary_memories: (Thing & { title: string; document_ids: number[]; code_artifact_ids: number[] })[];
  linked_memories: { memory: Thing; link_source_id: number }[];
};

const create = ({ execute }: ToolClient, kind: string, input: object) => execute<Thing>(`create_${kind}`, input);
const idsOf = (things: readonly Thing[]): number[] => things.map(({ id }) => id);

describe('the catalogue, as a team uses it', () => {
  it('a feature is documented from its decision to its code, and found whole by the next who asks', async () => {
    const client = await connectToolClient();
    const { execute } = client;
    const project = await create(client, 'project', {
      name: 'Sign-in, second edition',
      project_type: 'development',
      status: 'active',
    });
    const record = await create(client, 'document', {
      title: 'Decision 1: passkeys first',
      content: `# Passkeys first\n\n${'We weighed passwords, links by mail and passkeys. '.repeat(300)}`,
      document_type: 'markdown',
      tags: ['adr', 'sign-in'],
      project_id: project.id,
    });
    const decision = await create(client, 'memory', {
      title: 'Sign-in: passkeys first, links by mail as the way back',
      content: 'People sign in by passkey. Who lost theirs gets a link by mail that works once.',
      context: 'Writing down how sign-in was decided',
      keywords: ['sign-in', 'passkey'],
      tags: ['sign-in', 'decision'],
      importance: 10,
      project_ids: [project.id],
      document_ids: [record.id],
    });
    const guard = await create(client, 'code_artifact', {
      title: 'Guard of a route',
      description: 'Refuses a request without a session',
      code: '\ndef guard(request):\n    if request.session is None:\n        raise Unauthorized("sign in first")\n',
      language: 'python',
      tags: ['sign-in', 'middleware'],
      project_id: project.id,
    });
    await execute('update_memory', { memory_id: decision.id, code_artifact_ids: [guard.id] });
    const author = await create(client, 'entity', {
      name: 'Author of the sign-in',
      entity_type: 'Individual',
      notes: 'Wrote both editions',
      tags: ['engineering'],
      aka: ['sign-in author', 'S.A.'],
    });
    expect(await execute('link_entity_to_memory', { entity_id: author.id, memory_id: decision.id })).toMatchObject({
      success: true,
    });

    const found = await execute<Found>('query_memory', {
      query: 'how do people sign in',
      query_context: 'Changing the sign-in page',
      project_ids: [project.id],
    });
    expect(found.primary_memories).toMatchObject([
      { id: decision.id, document_ids: [record.id], code_artifact_ids: [guard.id] },
    ]);
    expect(await execute('get_memory_entities', { memory_id: decision.id })).toMatchObject({
      entities: [{ id: author.id, entity_type: 'Individual' }],
    });
    const everything = await execute<{ results: { kind: string }[] }>('search_everything', {
      query: 'sign-in passkey guard',
    });
    expect(new Set(everything.results.map(({ kind }) => kind))).toEqual(
      new Set(['memory', 'document', 'code_artifact', 'entity']),
    );
  });

  it('a newcomer is entered beside the company, and linked to what they must know', async () => {
    const client = await connectToolClient();
    const { execute } = client;
    await create(client, 'entity', {
      name: 'Harbour Works',
      entity_type: 'Organization',
      description: 'Runs the port',
      aka: ['HW'],
    });
    const provider = await create(client, 'memory', {
      title: 'Payment provider: invoices by transfer',
      content: 'Ships pay their invoices by bank transfer; cards are refused at the payment desk.',
      context: 'How the payment desk works',
      keywords: ['payment', 'transfer', 'invoice'],
      tags: ['payment'],
      importance: 8,
    });
    const newcomer = await create(client, 'entity', {
      name: 'Second clerk',
      entity_type: 'Individual',
      notes: 'Starts at the payment desk',
      tags: ['payment'],
      aka: ['clerk two', 'C2'],
    });
    const { entities } = await execute<{ entities: Thing[] }>('search_entities', { query: 'hw' });
    await execute('create_entity_relationship', {
      from_entity_id: newcomer.id,
      to_entity_id: entities[0]?.id,
      relationship_type: 'works_for',
      metadata: { role: 'Clerk', desk: 'Payment' },
    });
    const arrival = await create(client, 'memory', {
      title: 'The second clerk begins at the payment desk',
      content: 'The second clerk will take over reminders and refunds.',
      context: 'A newcomer at the payment desk',
      keywords: ['clerk', 'payment'],
      tags: ['team', 'newcomer'],
      importance: 7,
    });
    await execute('link_entity_to_memory', { entity_id: newcomer.id, memory_id: arrival.id });
    const found = await execute<Found>('query_memory', {
      query: 'payment invoice transfer',
      query_context: 'What a newcomer must know',
      k: 5,
    });
    expect(idsOf(found.primary_memories)).toContain(provider.id);
    for (const { id } of found.primary_memories) {
      await execute('link_entity_to_memory', { entity_id: newcomer.id, memory_id: id });
    }
    expect(await execute('get_entity_memories', { entity_id: newcomer.id })).toMatchObject({
      memory_ids: expect.arrayContaining([provider.id, arrival.id]),
      count: 2,
    });
    expect(await execute('get_entity_relationships', { entity_id: newcomer.id, direction: 'outgoing' })).toMatchObject({
      relationships: [{ relationship_type: 'works_for', strength: 1, confidence: 1, metadata: { role: 'Clerk' } }],
    });
  });

  it('an incident is written down beside the machine it struck, with its cure and the watch over it', async () => {
    const client = await connectToolClient();
    const { execute } = client;
    await create(client, 'entity', {
      name: 'Tide gauge 01',
      entity_type: 'Device',
      description: 'First gauge at the lock',
      tags: ['infrastructure', 'gauge'],
      aka: ['gauge-primary', 'tide-01'],
      metadata: { address: '10.0.1.50', lock: 'north' },
    });
    const { entities } = await execute<{ entities: Thing[] }>('search_entities', { query: 'gauge-primary' });
    const gauge = entities[0]?.id;
    const incident = await create(client, 'memory', {
      title: 'Tide gauge stood still: its disk was full',
      content:
        'Tide gauge 01 stopped because its log filled the disk. Logs are rotated now, and 80 % of the disk raises an alarm.',
      importance: 9,
      tags: ['incident', 'gauge'],
      context: 'Incident of a spring night, over after 45 minutes',
      keywords: ['disk', 'log', 'gauge'],
    });
    await execute('link_entity_to_memory', { entity_id: gauge, memory_id: incident.id });
    expect(await execute('update_entity', { entity_id: gauge, notes: 'Rotated logs, alarm at 80 %' })).toMatchObject({
      notes: 'Rotated logs, alarm at 80 %',
      metadata: { lock: 'north' },
    });
    const script = await create(client, 'code_artifact', {
      title: 'Watch over the disk of a gauge',
      code: '\ndef check(gauge, threshold=0.8):\n    used = gauge.disk_used / gauge.disk_size\n    if used > threshold:\n        alarm(f"disk at {used:.0%}")\n',
      language: 'python',
      tags: ['monitoring', 'gauge'],
      description: 'Raises an alarm when a disk fills',
    });
    const cure = await create(client, 'memory', {
      title: 'A watch over the disks of the gauges',
      content: 'An alarm at 80 % of a disk keeps a tide gauge from standing still again.',
      context: 'What followed from the incident with the full disk',
      keywords: ['disk', 'alarm', 'gauge'],
      tags: ['monitoring', 'prevention'],
      importance: 8,
      code_artifact_ids: [script.id],
    });
    const found = await execute<Found>('query_memory', {
      query: 'gauge disk full',
      query_context: 'A gauge stands still',
      k: 2,
    });
    expect(idsOf(found.primary_memories)).toEqual([incident.id, cure.id]);
    expect(found.primary_memories[1]).toMatchObject({ code_artifact_ids: [script.id] });
    const around = await execute<{ nodes: { id: string }[] }>('get_subgraph', { node_id: `entity_${gauge}`, depth: 1 });
    expect(around.nodes.map(({ id }) => id)).toContain(`memory_${incident.id}`);
  });

  it('a question is researched, its findings stand beside the report, the decision links them and the project ends', async () => {
    const client = await connectToolClient({ LOCI_LINKS_AUTOMATIC: '0' });
    const { execute } = client;
    const project = await create(client, 'project', {
      name: 'Which crane to buy',
      project_type: 'learning',
      status: 'active',
    });
    const report = await create(client, 'document', {
      title: 'Three cranes compared',
      description: 'What each lifts and costs',
      content: `# Cranes\n\n${'Lift, reach, price and upkeep of each crane. '.repeat(400)}`,
      document_type: 'markdown',
      tags: ['research', 'crane'],
      project_id: project.id,
    });
    const finding = (title: string, content: string, keyword: string) =>
      create(client, 'memory', {
        title,
        content,
        context: 'A finding of the comparison of cranes',
        keywords: [keyword, 'crane'],
        tags: ['crane', keyword],
        importance: 8,
        project_ids: [project.id],
        document_ids: [report.id],
      });
    const first = await finding('The gantry crane fits the old rails', 'A gantry crane needs no new rails.', 'gantry');
    const second = await finding(
      'The mobile crane lifts most',
      'A mobile crane lifts most and needs a paved quay.',
      'mobile',
    );
    const decision = await create(client, 'memory', {
      title: 'Decision: a gantry crane',
      content: 'We buy a gantry crane because the rails are there.',
      context: 'The end of the comparison',
      keywords: ['gantry', 'decision'],
      tags: ['decision', 'crane'],
      importance: 10,
      project_ids: [project.id],
      document_ids: [report.id],
    });
    for (const { id } of [first, second]) {
      expect(await execute('link_memories', { memory_id: decision.id, related_ids: [id] })).toMatchObject({
        linked_memory_ids: [id],
      });
    }
    expect(
      await execute('update_project', { project_id: project.id, status: 'completed', notes: 'A gantry crane it is' }),
    ).toMatchObject({ status: 'completed', memory_count: 3 });
    const found = await execute<Found>('query_memory', {
      query: 'which crane do we buy',
      query_context: 'Ordering the crane',
      k: 1,
      project_ids: [project.id],
    });
    expect(idsOf(found.primary_memories)).toEqual([decision.id]);
    expect(found.linked_memories.map(({ memory }) => memory.id).sort()).toEqual([first.id, second.id]);
    expect(await execute('get_document', { document_id: report.id })).toMatchObject({ title: 'Three cranes compared' });
    expect(await execute('list_projects', { status: 'completed' })).toMatchObject({ projects: [{ id: project.id }] });
  });
});
