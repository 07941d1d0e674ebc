// Notes of the knowledge catalogue, for people: one line for what was saved, tables for what was found.
import { createMemory, getMemory, getRecentMemories, queryMemory } from '#shared/contract/knowledge/memories.ts';
import type { OutputOf } from '#shared/contract/operation.ts';
import { ageOf } from './age.ts';
import { emphasise } from './emphasis.ts';
import { escapeBlock, escapeLine } from './escape.ts';
import { rendererFor } from './rendered.ts';
import type { View } from './style.ts';
import { pairs, table } from './table.ts';

type Note = OutputOf<typeof getRecentMemories>['memories'][number];

const createNoteRenderer = rendererFor(createMemory, (output) => ({
  result: [
    `Saved #${output.id} ${escapeLine(output.title)}.`,
    output.linked_memory_ids.length === 0 ? '' : ` Linked to ${numbers(output.linked_memory_ids)}.`,
  ].join(''),
  notices: [
    ...output.obsolete_matches.map(({ id, title }) => `#${id} said it before and was given up: ${title}`),
    ...output.warnings.map((warning) => `warning: ${warning}`),
    ...(output.plugin_warnings ?? []).map(({ message }) => `warning: ${message}`),
  ],
}));

const queryNotesRenderer = rendererFor(queryMemory, (output, view) => {
  const { style } = view;
  const columns = [
    { head: 'ID', align: 'right', paint: style.cyan },
    { head: 'IMP', align: 'right' },
    { head: 'SCORE', align: 'right' },
    { head: 'TITLE', paint: emphasise(output.query, style.bold) },
  ] as const;
  const primaries = output.primary_memories.map((note, index) => [
    String(note.id),
    String(note.importance ?? ''),
    output.scores[index]?.fused.toFixed(2) ?? '',
    note.title ?? '',
  ]);
  const linked = output.linked_memories.map(({ memory, link_source_id }) => [
    String(memory.id),
    String(memory.importance ?? ''),
    `→ ${link_source_id}`,
    memory.title ?? '',
  ]);
  const rows = [...primaries, ...linked];
  return {
    result: rows.length === 0 ? '' : table(columns, rows, view),
    notices: [
      ...(rows.length === 0 ? ['Nothing found.'] : []),
      ...(output.truncated ? ['The token budget was reached: there is more.'] : []),
      ...(output.degraded.length > 0 ? [`This search did without: ${output.degraded.join(', ')}.`] : []),
    ],
  };
});

const recentNotesRenderer = rendererFor(getRecentMemories, (output, view) => {
  const columns = [
    { head: 'ID', align: 'right', paint: view.style.cyan },
    { head: 'IMP', align: 'right' },
    { head: 'AGE', align: 'right', paint: view.style.dim },
    { head: 'TITLE' },
  ] as const;
  const rows = output.memories.map((note) => [
    String(note.id),
    String(note.importance),
    ageOf(note.created_at, view.nowMs),
    note.title,
  ]);
  return {
    result: rows.length === 0 ? '' : table(columns, rows, view),
    notices: output.has_more ? [`${output.total} in all; \`--offset ${output.offset + rows.length}\` shows more.`] : [],
  };
});

const getNoteRenderer = rendererFor(getMemory, (note, view) => {
  const { style } = view;
  const mark = note.is_obsolete ? ` ${style.dim('(obsolete)')}` : '';
  const heading = `${style.cyan(`#${note.id}`)} ${style.bold(escapeLine(note.title))}${mark}`;
  const context = note.context === '' ? [] : ['', `${style.bold('Context')}\n${escapeBlock(note.context)}`];
  return {
    result: [heading, '', escapeBlock(note.content), ...context, '', pairs(fieldsOf(note, view), view)].join('\n'),
  };
});

export const noteRenderers = [createNoteRenderer, queryNotesRenderer, recentNotesRenderer, getNoteRenderer];

function fieldsOf(note: Note, view: View): [string, string][] {
  const fields = [
    ['keywords', note.keywords.join(', ')],
    ['tags', note.tags.join(', ')],
    ['importance', String(note.importance)],
    ['projects', numbers(note.project_ids)],
    ['links', numbers(note.linked_memory_ids)],
    ['documents', numbers(note.document_ids)],
    ['code', numbers(note.code_artifact_ids)],
    ['files', numbers(note.file_ids)],
    ['skills', numbers(note.skill_ids)],
    ['source', [note.source_repo, ...note.source_files, note.source_url].filter((part) => part !== null).join(', ')],
    ['obsolete because', note.obsolete_reason ?? ''],
    ['superseded by', note.superseded_by === null ? '' : `#${note.superseded_by}`],
    ['created', `${note.created_at} (${ageOf(note.created_at, view.nowMs)})`],
  ] as const;
  return fields.flatMap(([name, value]) =>
    value === '' ? [] : [[name, escapeLine(value)] satisfies [string, string]],
  );
}

function numbers(ids: readonly number[]): string {
  return ids.map((id) => `#${id}`).join(', ');
}
