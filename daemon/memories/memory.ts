// The one memory record and its pure rules. No SQL, no words of a surface.
import { createHash } from 'node:crypto';
import { parseInstant } from '#shared/contract/common.ts';
import type { MemoryStatus, MemoryType, Provenance, Tier } from '#shared/contract/memory-record.ts';
import { invalidField } from '#shared/errors.ts';

/** The text of a memory: what is embedded, indexed by keyword and kept in the history. */
export type MemoryText = {
  readonly title: string | null;
  readonly content: string;
  readonly context: string | null;
  readonly problem: string | null;
  readonly solution: string | null;
  readonly concepts: readonly string[];
  readonly tags: readonly string[];
  readonly files: readonly string[];
  readonly category: string | null;
  readonly key: string | null;
  /** Who said it; embedded with the content, because questions name people. */
  readonly author: string | null;
};

/** Everything a caller may set; times in milliseconds. */
export type MemoryDraft = MemoryText & {
  readonly type: MemoryType;
  readonly status: MemoryStatus;
  readonly importance: number;
  readonly confidence: number;
  readonly provenance: Provenance;
  readonly tier: Tier;
  readonly source: string | null;
  readonly sourceContext: string | null;
  readonly sourceRepo: string | null;
  readonly sourceUrl: string | null;
  readonly encodingAgent: string | null;
  readonly encodingVersion: string | null;
  readonly agentId: string | null;
  readonly agentVersion: string | null;
  readonly agentModel: string | null;
  readonly agent: string | null;
  readonly session: string | null;
  readonly sequence: number | null;
  readonly branch: string | null;
  readonly worktree: string | null;
  readonly pinned: boolean;
  readonly occurredAtMs: number;
  readonly validFromMs: number | null;
  readonly validToMs: number | null;
  readonly expiresAtMs: number | null;
  readonly obsoleteReason: string | null;
  readonly supersededBy: number | null;
  readonly metadata: Readonly<Record<string, unknown>>;
};

/** A stored memory. `projectIds` begins with the primary one. */
export type Memory = MemoryDraft & {
  readonly id: number;
  readonly uid: string;
  readonly userId: number;
  readonly rev: number;
  readonly projectIds: readonly number[];
  readonly contentHash: string;
  readonly accessCount: number;
  readonly lastAccessedAtMs: number | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
};

/** Confidence where the caller gives none (contract/lifecycle.md). */
const confidenceByProvenance: Readonly<Record<Provenance, number>> = {
  save: 0.5,
  checkpoint: 0.65,
  debate: 0.85,
  human: 0.95,
};

export function defaultConfidence(provenance: Provenance): number {
  return confidenceByProvenance[provenance];
}

/** `core` from debate and human, or from confidence 0.85 up. */
export function defaultTier(provenance: Provenance, confidence: number): Tier {
  return provenance === 'debate' || provenance === 'human' || confidence >= 0.85 ? 'core' : 'regular';
}

/** A keyed fact of the one-tool memory: never merged, clustered, or a merge's target. */
export function isKeyedFact(memory: Pick<MemoryText, 'category'>): boolean {
  return memory.category !== null;
}

/** The type by which search filters tell keyed facts from the rest. */
export function searchType(memory: Pick<MemoryDraft, 'category' | 'type'>): string {
  return isKeyedFact(memory) ? 'keyed_fact' : memory.type;
}

/** The title to show: the given one, else the first sentence cut at a word, at most 200 code points. Never embedded or indexed. */
export function shownTitle(memory: Pick<MemoryText, 'title' | 'content'>): string {
  if (memory.title !== null) return memory.title;
  const line = memory.content.trim().split(/\r?\n/, 1)[0] as string;
  const sentence = /^.*?[.!?。!?](?=\s|$)/u.exec(line)?.[0] ?? line;
  return cutAtWord(sentence.trim(), 200);
}

/** The beginning of a text, at most `max` code points, cut at a space where there is one and never inside a grapheme. */
export function cutAtWord(text: string, max: number): string {
  if (text.length <= max) return text;
  if (isPlain(text, max)) return endAtWord(text.slice(0, max - 1), max);
  let cut = '';
  let points = 0;
  for (const { segment } of graphemes.segment(text.slice(0, max * 8))) {
    points += [...segment].length;
    if (points > max - 1) break;
    cut += segment;
  }
  return cut.length === text.length ? text : endAtWord(cut, max);
}

function endAtWord(cut: string, max: number): string {
  const space = cut.lastIndexOf(' ');
  return `${(space > max / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}

/** Whether the beginning of a text is printable ASCII alone, where each character is a grapheme: to find them costs a search .1 ms a result. */
function isPlain(text: string, length: number): boolean {
  for (let at = 0; at <= length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code > 0x7e) return false;
  }
  return true;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * One text of all structured fields, as it is embedded. A derived title is not among them. The author stands before the content:
 * without it a vector cannot tell whose words these are, which costs conversations .05 nDCG.
 */
export function embeddedText(memory: MemoryText): string {
  const key = memory.key === null ? null : memory.key.replaceAll('_', ' ');
  const parts = [
    memory.title,
    key,
    memory.author === null ? memory.content : `${memory.author} said: ${memory.content}`,
    memory.context,
    memory.problem,
    memory.solution,
    memory.concepts.join(', '),
    memory.tags.join(', '),
    memory.files.join(', '),
  ];
  return parts.filter((part) => part !== null && part !== '').join('\n');
}

/** SHA-256 of all the text: equal hashes mean that a save says nothing new. */
export function contentHash(memory: MemoryText): string {
  const { title, content, context, problem, solution, concepts, tags, files, category, key } = memory;
  const whole = JSON.stringify([
    title,
    content.trim(),
    context,
    problem,
    solution,
    concepts,
    tags,
    files,
    category,
    key,
  ]);
  return createHash('sha256').update(whole).digest('hex');
}

/** Milliseconds of an instant that the contract has already accepted, or null. */
export function instantToMs(instant: string | null | undefined): number | null {
  return instant === null || instant === undefined ? null : parseInstant(instant);
}

const dayMs = 24 * 60 * 60 * 1000;

/** When a memory expires: `expires_at`, or `expires_days` (fractions allowed) after `nowMs`. Both at once are refused. */
export function expiryOf(given: { expires_at?: string | null; expires_days?: number }, nowMs: number): number | null {
  if (given.expires_days === undefined) return instantToMs(given.expires_at);
  if (given.expires_at !== undefined && given.expires_at !== null) {
    throw invalidField('expires_days', 'give either expires_days or expires_at, not both');
  }
  return Math.round(nowMs + given.expires_days * dayMs);
}

/** Refuses a validity that ends before it begins. */
export function checkValidity(validFromMs: number | null, validToMs: number | null): void {
  if (validFromMs !== null && validToMs !== null && validToMs < validFromMs) {
    throw invalidField('valid_to', 'must not be before valid_from');
  }
}

/** Whether a memory is live at `nowMs`: active and not past its expiry, even when no clean-up has run since. */
export function isLive(memory: Pick<MemoryDraft, 'status' | 'expiresAtMs'>, nowMs: number): boolean {
  return memory.status === 'active' && (memory.expiresAtMs === null || memory.expiresAtMs > nowMs);
}

/** True for a text that holds at least one letter or digit: anything else finds nothing (rule 1 of the contract). */
export function hasWord(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}
