// claude-mem: what its worker observed in sessions, the summaries of those sessions, and the rules that users gave it.

import { type ForeignRow, openForeign } from './foreign-database.ts';
import { itemsOfNote } from './foreign-notes.ts';
import { instantOf, metadataOf, objectOf, textOf, textsOf } from './read-values.ts';
import type { Item, Reader, ReaderTools } from './reader.ts';

export const claudeMemReader: Reader = {
  source: 'claude-mem',
  detects: ({ tables }) => tables?.includes('observations') === true && tables.includes('sdk_sessions'),
  *read({ path }, tools): Generator<Item> {
    const db = openForeign(path);
    try {
      const items = { observations: observationItems, session_summaries: summaryItems, directives: directiveItems };
      for (const [table, itemsOf] of Object.entries(items)) {
        for (const found of db.rows(table)) {
          if ('problem' in found) yield { line: null, problem: found.problem };
          else yield* itemsOf(found.row, tools);
        }
      }
      if (db.has('user_prompts')) yield { notice: 'Prompts that claude-mem kept word by word were left out.' };
    } finally {
      db.close();
    }
  },
};

/** Rows are numbered by each installation, so the time belongs to what a row is known by. */
function idOf(table: string, row: ForeignRow): string[] {
  return [table, String(row.id), String(row.created_at_epoch ?? row.created_at ?? '')];
}

function timesOf(row: ForeignRow) {
  const createdAt = instantOf(row.created_at_epoch) ?? instantOf(row.created_at);
  return { createdAt, updatedAt: instantOf(row.updated_at_epoch) ?? createdAt };
}

function* observationItems(row: ForeignRow, tools: ReaderTools): Generator<Item> {
  const facts = textsOf(row.facts);
  const said = textOf(row.narrative) ?? textOf(row.text);
  const content = [said, ...facts.filter((fact) => said === null || !said.includes(fact)).map((fact) => `- ${fact}`)];
  yield* itemsOfNote(tools, {
    sourceId: idOf('observations', row),
    content: content.filter((part) => part !== null).join('\n') || (textOf(row.title) ?? ''),
    title: textOf(row.title),
    project: textOf(row.merged_into_project) ?? textOf(row.project),
    ...timesOf(row),
    more: {
      type: row.type === 'decision' ? 'decision' : 'fact',
      context: textOf(row.subtitle),
      concepts: textsOf(row.concepts),
      files: [...new Set([...textsOf(row.files_modified), ...textsOf(row.files_read)])],
      session: textOf(row.memory_session_id),
      agent_model: textOf(row.generated_by_model),
      metadata: { ...metadataOf(objectOf(row.metadata)), claude_mem_type: String(row.type ?? 'unknown') },
    },
  });
}

function* summaryItems(row: ForeignRow, tools: ReaderTools): Generator<Item> {
  const parts = [
    ['Learned', textOf(row.learned)],
    ['Investigated', textOf(row.investigated)],
    ['Next steps', textOf(row.next_steps)],
    ['Notes', textOf(row.notes)],
  ] as const;
  const told = parts.flatMap(([name, text]) => (text === null ? [] : [`${name}: ${text}`]));
  const completed = textOf(row.completed);
  const request = textOf(row.request);
  yield* itemsOfNote(tools, {
    sourceId: idOf('session_summaries', row),
    content: told.length > 0 ? told.join('\n') : (completed ?? request ?? ''),
    title: request,
    project: textOf(row.merged_into_project) ?? textOf(row.project),
    ...timesOf(row),
    more: {
      type: 'context',
      problem: request,
      solution: completed,
      provenance: 'checkpoint',
      confidence: 0.65,
      files: [...new Set([...textsOf(row.files_edited), ...textsOf(row.files_read)])],
      session: textOf(row.memory_session_id),
    },
  });
}

function* directiveItems(row: ForeignRow, tools: ReaderTools): Generator<Item> {
  yield* itemsOfNote(tools, {
    sourceId: idOf('directives', row),
    content: textOf(row.content) ?? '',
    project: textOf(row.project),
    ...timesOf(row),
    more: { type: 'preference', status: row.status === 'active' ? 'active' : 'archived', source: textOf(row.source) },
  });
}
