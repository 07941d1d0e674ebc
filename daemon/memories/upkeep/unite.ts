// Several fading memories of one group become one. Nothing that only one of them had is lost: sentences and lists are united,
// gaps filled, counters summed; where two differ in what can have one value alone, the newer says it. The originals stay, archived.
import { maxMetadataBytes } from '#shared/contract/common.ts';
import { union } from '../duplicates/merge.ts';
import { cutAtWord, type Memory, type MemoryDraft } from '../memory.ts';
import { uniteSentences } from '../sentences.ts';

export type Union = {
  readonly draft: MemoryDraft;
  /** The primary project first, then all others of the members. */
  readonly projectIds: readonly number[];
  readonly accessCount: number;
};

/** What a record may hold (contract, rule 15, and the bounds of `memory_save`). */
const limits = { content: 20_000, context: 2_000, problem: 20_000, solution: 20_000, labels: 50, files: 200 };

/** The union of memories of one group, told in the order of time; `content` replaces the united text where it is given. */
export function uniteMemories(members: readonly Memory[], content?: string): Union {
  const inTime = inOrderOfTime(members);
  const newestFirst = [...inTime].sort((a, b) => b.updatedAtMs - a.updatedAtMs || b.id - a.id);
  const trusted = newestFirst.reduce((best, memory) => (memory.confidence > best.confidence ? memory : best));
  const newest = newestFirst[0] as Memory;
  const text = (field: 'context' | 'problem' | 'solution'): string | null =>
    uniteSentences(inTime.flatMap((memory) => memory[field] ?? [])) || null;
  const labels = (field: 'concepts' | 'tags' | 'files'): string[] =>
    inTime.reduce<string[]>((all, memory) => union(all, memory[field]), []);
  const last = <Field extends keyof MemoryDraft>(field: Field): MemoryDraft[Field] =>
    newestFirst.find((memory) => memory[field] !== null)?.[field] ?? newest[field];
  const isOneSession = new Set(inTime.map((memory) => memory.session)).size === 1;
  const draft: MemoryDraft = {
    title: titleOf(inTime),
    content: content ?? uniteSentences(inTime.map((memory) => memory.content)),
    context: text('context'),
    problem: text('problem'),
    solution: text('solution'),
    concepts: labels('concepts'),
    tags: labels('tags'),
    files: labels('files'),
    category: null,
    key: null,
    type: newest.type,
    status: 'active',
    importance: Math.max(...inTime.map((memory) => memory.importance)),
    confidence: trusted.confidence,
    provenance: trusted.provenance,
    tier: inTime.some((memory) => memory.tier === 'core') ? 'core' : 'regular',
    source: last('source'),
    sourceContext: last('sourceContext'),
    sourceRepo: last('sourceRepo'),
    sourceUrl: last('sourceUrl'),
    encodingAgent: last('encodingAgent'),
    encodingVersion: last('encodingVersion'),
    agentId: last('agentId'),
    agentVersion: last('agentVersion'),
    agentModel: last('agentModel'),
    agent: last('agent'),
    session: isOneSession ? newest.session : null,
    sequence: isOneSession ? last('sequence') : null,
    author: last('author'),
    branch: last('branch'),
    worktree: last('worktree'),
    pinned: false,
    occurredAtMs: Math.max(...inTime.map((memory) => memory.occurredAtMs)),
    // true since the first of them was, and as long as the last of them is
    validFromMs: whole(inTime, 'validFromMs', Math.min),
    validToMs: whole(inTime, 'validToMs', Math.max),
    expiresAtMs: whole(inTime, 'expiresAtMs', Math.max),
    obsoleteReason: null,
    supersededBy: null,
    metadata: Object.assign({}, ...newestFirst.map((memory) => memory.metadata).reverse()) as MemoryDraft['metadata'],
  };
  const primary = newest.projectIds.slice(0, 1);
  return {
    draft,
    projectIds: [...new Set([...primary, ...inTime.flatMap((memory) => memory.projectIds)])],
    accessCount: inTime.reduce((sum, memory) => sum + memory.accessCount, 0),
  };
}

/** Members in parts, each of which fits into one record; a part of one is left as it is. */
export function partsThatFit(members: readonly Memory[]): Memory[][] {
  const parts: Memory[][] = [];
  for (const memory of inOrderOfTime(members)) {
    const part = parts.at(-1);
    if (part !== undefined && fits([...part, memory])) part.push(memory);
    else parts.push([memory]);
  }
  return parts.filter((part) => part.length > 1);
}

function fits(members: readonly Memory[]): boolean {
  const sum = (count: (memory: Memory) => number): number => members.reduce((all, memory) => all + count(memory), 0);
  // mostly there is room even for every word, and nothing has to be united to know it
  if (
    sum((memory) => memory.content.length + (memory.problem?.length ?? 0) + (memory.solution?.length ?? 0)) <= 5_000 &&
    sum((memory) => memory.context?.length ?? 0) + members.length <= limits.context &&
    sum((memory) => memory.concepts.length + memory.tags.length + memory.files.length) <= limits.labels &&
    sum((memory) => JSON.stringify(memory.metadata).length) <= 2_000
  ) {
    return true;
  }
  const { draft } = uniteMemories(members);
  const points = (text: string | null): number => (text === null ? 0 : [...text].length);
  return (
    points(draft.content) <= limits.content &&
    points(draft.context) <= limits.context &&
    points(draft.problem) <= limits.problem &&
    points(draft.solution) <= limits.solution &&
    draft.concepts.length <= limits.labels &&
    draft.tags.length <= limits.labels &&
    draft.files.length <= limits.files &&
    Buffer.byteLength(JSON.stringify(draft.metadata)) <= maxMetadataBytes
  );
}

function inOrderOfTime(members: readonly Memory[]): Memory[] {
  return [...members].sort((a, b) => a.occurredAtMs - b.occurredAtMs || a.createdAtMs - b.createdAtMs || a.id - b.id);
}

/** The given titles, each once; null where none was given, so that one is derived. */
function titleOf(inTime: readonly Memory[]): string | null {
  const titles = union(
    [],
    inTime.flatMap((memory) => memory.title ?? []),
  );
  return titles.length === 0 ? null : cutAtWord(titles.join(' · '), 200);
}

/** A bound that holds for the whole: none as soon as one of them has none. */
function whole(
  members: readonly Memory[],
  field: 'validFromMs' | 'validToMs' | 'expiresAtMs',
  pick: (...values: number[]) => number,
): number | null {
  const values = members.map((memory) => memory[field]);
  return values.includes(null) ? null : pick(...(values as number[]));
}
