// What a union says once some of its members are erased: decided here, from texts alone.
import type { Memory, MemoryDraft } from '../memory.ts';
import { withoutSentences } from '../sentences.ts';
import { uniteMemories } from '../upkeep/unite.ts';

export type Share = {
  /** The members as they were united. */
  readonly before: readonly Memory[];
  /** Those that are left, without what they in turn owe to the erased. */
  readonly after: readonly Memory[];
  /** How the text of the union came about; a summary cannot be taken apart by sentences. */
  readonly by: 'merge' | 'summary' | 'hand';
};

const texts = ['content', 'context', 'problem', 'solution'] as const;
const lists = ['concepts', 'tags', 'files'] as const;
const dates = ['validFromMs', 'validToMs', 'expiresAtMs'] as const;
const words = [
  'title',
  'source',
  'sourceContext',
  'sourceRepo',
  'sourceUrl',
  'encodingAgent',
  'encodingVersion',
  'agentId',
  'agentVersion',
  'agentModel',
  'agent',
  'session',
  'author',
  'branch',
  'worktree',
] as const;

/** The draft of a union, or of a version of it, without what only the erased members brought. Blank content: nothing is left. */
export function withoutErased(union: MemoryDraft, { before, after, by }: Share): MemoryDraft {
  const whole = uniteMemories(before).draft;
  const rest = after.length === 0 ? null : uniteMemories(after).draft;
  const kept = new Set(after.map(({ id }) => id));
  const gone = before.filter((member) => !kept.has(member.id) || !after.some((left) => isEqual(left, member)));
  const draft: { -readonly [Field in keyof MemoryDraft]: MemoryDraft[Field] } = { ...union };
  const textsOf = (members: readonly Memory[]) =>
    members.flatMap((member) => texts.flatMap((text) => member[text] ?? []));
  for (const field of texts) {
    const said = union[field];
    if (said === null) continue;
    const isWhole = said === whole[field] || (field === 'content' && by === 'summary');
    const left = isWhole ? (rest?.[field] ?? '') : withoutSentences(said, textsOf(gone), textsOf(after));
    const remaining = left === '' ? (rest?.[field] ?? '') : left;
    if (field === 'content') draft.content = remaining;
    else draft[field] = remaining === '' ? null : remaining;
  }
  for (const field of lists) {
    const brought = new Set(gone.flatMap((member) => member[field]));
    draft[field] = union[field].filter((label) => !brought.has(label) || rest?.[field].includes(label) === true);
  }
  for (const field of dates) if (rest !== null && union[field] === whole[field]) draft[field] = rest[field];
  if (rest !== null && union.occurredAtMs === whole.occurredAtMs) draft.occurredAtMs = rest.occurredAtMs;
  for (const field of words) {
    if (union[field] === whole[field]) {
      draft[field] = rest?.[field] ?? null;
      continue;
    }
    const isTheirs = gone.some((member) => member[field] !== null && isPartOf(member[field], union[field]));
    if (isTheirs && !after.some((member) => isPartOf(union[field], member[field])))
      draft[field] = rest?.[field] ?? null;
  }
  draft.metadata = metadataWithout(union.metadata, gone, rest?.metadata ?? {});
  return draft;
}

function metadataWithout(
  metadata: MemoryDraft['metadata'],
  gone: readonly Memory[],
  rest: MemoryDraft['metadata'],
): MemoryDraft['metadata'] {
  const isTheirs = (key: string, value: unknown) => gone.some((member) => isEqual(member.metadata[key], value));
  const own = Object.entries(metadata).filter(([key, value]) => !isTheirs(key, value));
  const left = Object.entries(rest).filter(([key]) => key in metadata);
  return Object.fromEntries([...left, ...own]) as MemoryDraft['metadata'];
}

/** A title may be several in one. */
function isPartOf(part: string | null, whole: string | null): boolean {
  return part !== null && whole?.includes(part.replace(/…$/, '')) === true;
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
