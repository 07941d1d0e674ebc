import { memoryRevert } from '#shared/contract/history.ts';
import { memoryGet, memoryUpdate } from '#shared/contract/lifecycle.ts';
import type { MemoryRecord } from '#shared/contract/memory-record.ts';
import { ageOf } from './age.ts';
import { escapeBlock, escapeLine } from './escape.ts';
import { type Rendered, rendererFor } from './rendered.ts';
import type { View } from './style.ts';
import { pairs } from './table.ts';

export const getRenderer = rendererFor(memoryGet, wholeRecord);
export const updateRenderer = rendererFor(memoryUpdate, wholeRecord);
export const revertRenderer = rendererFor(memoryRevert, wholeRecord);

/** A whole memory: heading, the texts, then every field that says something. Empty fields are left out. */
function wholeRecord(memory: MemoryRecord, view: View): Rendered {
  const { style } = view;
  const marks = [memory.status, memory.type, memory.tier, ...(memory.pinned ? ['pinned'] : [])].join(', ');
  const heading = `${style.cyan(`#${memory.id}`)} ${style.bold(escapeLine(memory.title))} ${style.dim(`(${marks})`)}`;
  const texts = [escapeBlock(memory.content), ...textParts(memory, view)];
  return { result: [heading, '', texts.join('\n\n'), '', pairs(filled(fieldsOf(memory, view)), view)].join('\n') };
}

function textParts(memory: MemoryRecord, view: View): string[] {
  const parts = [
    ['Context', memory.context],
    ['Problem', memory.problem],
    ['Solution', memory.solution],
  ] as const;
  return parts.flatMap(([name, text]) =>
    text === null || text === '' ? [] : [`${view.style.bold(name)}\n${escapeBlock(text)}`],
  );
}

type Field = readonly [string, string | null];

function fieldsOf(memory: MemoryRecord, view: View): Field[] {
  return [
    ['projects', list(memory.projects.map((project) => project.name)) ?? memory.project],
    ['fact', memory.category === null ? memory.key : `${memory.category}/${memory.key}`],
    ['concepts', list(memory.concepts)],
    ['tags', list(memory.tags)],
    ['files', list(memory.files)],
    ['entities', list(memory.entities.map((entity) => entity.name))],
    ['links', numbers(memory.links)],
    ['supersedes', numbers(memory.supersedes)],
    ['superseded by', memory.superseded_by === null ? null : `#${memory.superseded_by}`],
    ['obsolete because', memory.obsolete_reason],
    ['confidence', `${memory.confidence} (${memory.provenance})`],
    ['importance', String(memory.importance)],
    ['decay', memory.decay.toFixed(2)],
    ['read', times(memory, view)],
    ['created', when(memory.created_at, view)],
    ['updated', memory.updated_at === memory.created_at ? null : when(memory.updated_at, view)],
    ['happened', isSameMinute(memory.occurred_at, memory.created_at) ? null : memory.occurred_at],
    ['valid', validity(memory)],
    ['expires', memory.expires_at],
    ...originFields(memory),
    ['history', memory.history === 0 ? null : `${memory.history} earlier (\`loci history ${memory.id}\`)`],
    ['metadata', Object.keys(memory.metadata).length === 0 ? null : JSON.stringify(memory.metadata)],
    ['uid', memory.uid],
  ];
}

function originFields(memory: MemoryRecord): Field[] {
  return [
    ['author', memory.author],
    ['agent', memory.agent],
    ['session', memory.sequence === null ? memory.session : `${memory.session ?? ''} #${memory.sequence}`],
    ['source', memory.source],
    ['source context', memory.source_context],
    ['source repo', memory.source_repo],
    ['source url', memory.source_url],
    ['encoded by', list([memory.encoding_agent, memory.encoding_version].filter((part) => part !== null))],
    ['branch', memory.branch],
    ['worktree', memory.worktree],
  ];
}

function filled(fields: readonly Field[]): [string, string][] {
  return fields.flatMap(([name, value]) =>
    value === null || value === '' ? [] : [[name, escapeLine(value)] satisfies [string, string]],
  );
}

function list(values: readonly string[]): string | null {
  return values.length === 0 ? null : values.join(', ');
}

function numbers(ids: readonly number[]): string | null {
  return list(ids.map((id) => `#${id}`));
}

function when(instant: string, view: View): string {
  return `${instant} (${ageOf(instant, view.nowMs)})`;
}

function times(memory: MemoryRecord, view: View): string | null {
  if (memory.last_accessed_at === null) return null;
  return `${memory.access_count} times, last ${when(memory.last_accessed_at, view)}`;
}

/** What was saved as it happened need not say twice when. */
function isSameMinute(a: string, b: string): boolean {
  return Math.abs(Date.parse(a) - Date.parse(b)) < 60_000;
}

function validity(memory: MemoryRecord): string | null {
  if (memory.valid_from === null && memory.valid_to === null) return null;
  return `${memory.valid_from ?? '…'} to ${memory.valid_to ?? '…'}`;
}
