// A thousand memories of every sort, and always the same: what a page has to show. Among them stand texts that would be markup, break a
// layout or turn a line round, because somebody will store them.
import type { PageDaemon } from './browser.ts';

/** What must stay text wherever it is shown. Each would call `gotcha()` or load something if it became markup. */
export const hostileTexts = [
  '<img src=x onerror="gotcha()">',
  '<script>gotcha()</script>',
  '"><svg/onload=gotcha()>',
  '<svg xmlns="http://www.w3.org/2000/svg"><script>gotcha()</script></svg>',
  '[click](javascript:gotcha())',
  '![pixel](http://evil.example/pixel.png)',
  '<a href="javascript:gotcha()">link</a>',
  '<iframe src="http://evil.example/"></iframe>',
  '<style>*{display:none}</style>',
  "');gotcha();//",
  '{{constructor.constructor("gotcha()")()}}',
  '<math><mtext></p><img src=x onerror=gotcha()>',
] as const;

const strangeTexts = [
  'デプロイは火曜日に行います。請求処理が月曜日だからです。',
  'الإصدارات تصدر يوم الخميس لأن الدعم متوفر يوم الجمعة',
  'right to left \u202Eoverride\u202C and a bell \u0007 and zero\u200Bwidth',
  `one-word-${'x'.repeat(600)}`,
  '👩‍👩‍👧‍👦 family, 🏳️‍🌈 flag and e\u0301 accents',
  'a\n\n\nlong\n\n\ntext\n\n\nwith\n\n\nlines',
] as const;

const subjects = [
  'gateway',
  'importer',
  'scheduler',
  'cart',
  'ledger',
  'parser',
  'mailer',
  'cache',
  'queue',
  'builder',
];
const doings = [
  'listens on port',
  'retries after',
  'keeps at most',
  'is staffed until',
  'times out after',
  'is limited to',
];
const reasons = [
  'billing runs on Monday',
  'the balancer drops idle links',
  'auditors asked for it',
  'the old one leaked',
];
const projects = ['storefront', 'billing', 'infra', 'mobile app', 'data platform'];
const types = ['fact', 'decision', 'preference', 'task', 'context'];
const agents = ['claude-code', 'codex', 'gemini-cli', 'opencode'];
const provenances = ['save', 'checkpoint', 'debate', 'human'];

export type Varied = {
  /** Memories that were made, whatever their status now. */
  readonly memories: number;
  readonly hostileIds: readonly number[];
  readonly archivedId: number;
  readonly planId: number;
};

/** Fills a daemon's store. The texts depend on the seed alone. */
export async function fillVaried(daemon: PageDaemon, memories = 1_000): Promise<Varied> {
  const random = seeded(20_261_130);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const special = [...hostileTexts, ...strangeTexts];
  const drafts = Array.from({ length: memories }, (_, index) => {
    const text = special[index] ?? `The ${pick(subjects)} ${pick(doings)} ${index + 1}, because ${pick(reasons)}.`;
    const isHostile = index < hostileTexts.length;
    return {
      content: text,
      ...(isHostile || random() < 0.3 ? { title: text.replaceAll('\n', ' ').slice(0, 150) } : {}),
      type: pick(types),
      ...(random() < 0.85 ? { project: pick(projects) } : {}),
      agent: pick(agents),
      provenance: pick(provenances),
      importance: 1 + Math.floor(random() * 10),
      confidence: Math.round(random() * 100) / 100,
      tags: isHostile ? [text.slice(0, 100)] : [pick(subjects), pick(doings)],
      ...(isHostile
        ? { context: text, problem: text, solution: text, author: text, source_url: 'javascript:gotcha()' }
        : {}),
      on_duplicate: 'keep',
    };
  });
  const ids: number[] = [];
  for (let at = 0; at < drafts.length; at += 500) {
    const { results } = await daemon.call<{ results: { id: number }[] }>('memory_save_many', {
      memories: drafts.slice(at, at + 500),
    });
    ids.push(...results.map(({ id }) => id));
  }
  const archivedId = ids[100] as number;
  for (const id of ids.slice(100, 140)) await daemon.call('memory_archive', { id, reason: 'no longer used' });
  for (const id of ids.slice(140, 150)) await daemon.call('memory_update', { id, pinned: true });
  for (let at = 200; at < 240; at += 1) {
    await daemon.call('link_memories', { memory_id: ids[at], related_ids: [ids[at + 1], ids[at + 7]] });
  }
  await addPeople(daemon, ids);
  return {
    memories: ids.length,
    hostileIds: ids.slice(0, hostileTexts.length),
    archivedId,
    planId: await addPlan(daemon),
  };
}

async function addPeople(daemon: PageDaemon, ids: readonly number[]): Promise<void> {
  for (const [index, name] of ['Platform team', 'build-3', hostileTexts[0]].entries()) {
    const { id } = await daemon.call<{ id: number }>('create_entity', {
      name,
      entity_type: index === 1 ? 'Device' : 'Team',
      notes: 'made for a test',
    });
    for (const memory of ids.slice(index * 20, index * 20 + 8)) {
      await daemon.call('link_entity_to_memory', { entity_id: id, memory_id: memory });
    }
  }
  await daemon.call('create_document', {
    title: 'Runbook',
    content: '# Restart\nDrain the queue first.',
    project_id: 1,
  });
}

async function addPlan(daemon: PageDaemon): Promise<number> {
  const { id } = await daemon.call<{ id: number }>('create_plan', {
    title: `Move the ledger ${hostileTexts[1]}`,
    goal: 'No downtime',
    project_id: 1,
    status: 'active',
  });
  const titles = ['Write the migration', 'Rehearse it', hostileTexts[2], 'Switch over', 'Remove the old one'];
  let before: number | null = null;
  for (const [index, title] of titles.entries()) {
    const task: { id: number } = await daemon.call('create_task', {
      plan_id: id,
      title,
      priority: `P${index % 4}`,
      criteria: ['it is reviewed'],
      ...(before === null ? {} : { dependency_ids: [before] }),
    });
    before = task.id;
    if (index === 0) await daemon.call('claim_task', { task_id: task.id, agent_id: 'codex', version: 1 });
  }
  return id;
}

/** Numbers from 0 to 1, always the same for a seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
