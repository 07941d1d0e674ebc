// The knowledge catalogue over a grown graph: a note that links itself and a query with its links, each against the embedding of the
// same text alone, and the first page of every list.
import type { Bench } from '../bench.ts';
import { type Finding, limitFinding, ratioFinding } from '../figures.ts';
import type { RunningDaemon } from '../processes/running-daemon.ts';
import { createDeveloperTexts } from '../store/developer-texts.ts';
import { copyGraphHome, graphSize } from '../store/graph-home.ts';
import type { Workshop } from '../workshop.ts';

const rounds = 40;
const warmRounds = 5;
/** Characters of a query's answer in its compact form. */
const maxAnswer = 8_000;

export const noteBenches: readonly Bench[] = [{ name: 'notes', run: notes }];

async function notes(workshop: Workshop): Promise<Finding[]> {
  const home = workshop.emptyHome();
  await copyGraphHome(home, workshop.say);
  const daemon = await workshop.daemon(home);
  await daemon.call('memory_search', { query: 'wait until the store is open and the model is loaded', mode: 'vector' });
  const findings = [await created(workshop, daemon), ...(await queried(workshop, daemon))];
  for (const operation of ['get_recent_memories', 'list_projects', 'list_entities', 'list_documents', 'list_plans']) {
    const values: number[] = [];
    for (let round = 0; round <= rounds; round += 1) values.push(await daemon.time(operation, { limit: 10 }));
    findings.push(limitFinding({ what: `${operation}, 10 rows`, atMost: 10, values: values.slice(1) }));
  }
  return findings;
}

async function created(workshop: Workshop, daemon: RunningDaemon): Promise<Finding> {
  const texts = createDeveloperTexts(graphSize.memories + 5);
  const [values, alone]: [number[], number[]] = [[], []];
  for (let round = -warmRounds; round < rounds; round += 1) {
    const { content, tags } = texts.memory();
    const note = {
      title: content.slice(0, 60),
      content,
      context: 'a measurement',
      keywords: ['speed'],
      tags,
      importance: 7,
    };
    const startedMs = performance.now();
    // what is embedded of a note: its title and its texts
    const whole = `${note.title}\n${content}\n${note.context}`;
    await workshop.model.embed([whole], { lane: 'save', purpose: 'passage' });
    const aloneMs = performance.now() - startedMs;
    const noteMs = await daemon.time('create_memory', note);
    if (round < 0) continue;
    alone.push(aloneMs);
    values.push(noteMs);
  }
  const yardstick = { name: 'embedding alone', values: alone };
  return ratioFinding({ what: 'create_memory with automatic links', atMost: 1.8, values, yardstick });
}

async function queried(workshop: Workshop, daemon: RunningDaemon): Promise<Finding[]> {
  const texts = createDeveloperTexts(graphSize.memories + 6);
  const [values, alone]: [number[], number[]] = [[], []];
  let longest = 0;
  for (let round = -warmRounds; round < rounds; round += 1) {
    const query = texts.question();
    const startedMs = performance.now();
    await workshop.model.embed([query], { lane: 'query', purpose: 'query' });
    const aloneMs = performance.now() - startedMs;
    const queryMs = performance.now();
    const answer = await daemon.call('query_memory', { query, query_context: 'a measurement', k: 5, compact: true });
    if (round < 0) continue;
    longest = Math.max(longest, JSON.stringify(answer).length);
    alone.push(aloneMs);
    values.push(performance.now() - queryMs);
  }
  const yardstick = { name: 'embedding alone', values: alone };
  return [
    ratioFinding({ what: 'query_memory, k = 5, with links', atMost: 1.8, values, yardstick }),
    {
      what: 'characters of its longest answer',
      bar: `≤ ${maxAnswer}`,
      measured: String(longest),
      range: '',
      yardstick: '',
      ratio: null,
      isMet: longest <= maxAnswer,
    },
  ];
}
