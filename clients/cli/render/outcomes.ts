// Changes answer with one line that says what is now true, under which id.
import {
  memoryArchive,
  memoryCheckpoint,
  memoryPurge,
  memorySave,
  memorySaveMany,
  type SaveOutput,
} from '#shared/contract/lifecycle.ts';
import { aliasProject, mergeProjects } from '#shared/contract/projects.ts';
import { escapeLine } from './escape.ts';
import { type Rendered, rendererFor } from './rendered.ts';
import type { View } from './style.ts';
import { table } from './table.ts';

export const saveRenderer = rendererFor(memorySave, saved);
export const checkpointRenderer = rendererFor(memoryCheckpoint, saved);

export const saveManyRenderer = rendererFor(memorySaveMany, (output, view) => ({
  result: table(
    [{ head: '#', align: 'right' }, { head: 'ID', align: 'right', paint: view.style.cyan }, { head: 'OUTCOME' }],
    output.results.map((one, index) =>
      one.outcome === 'failed'
        ? [String(index + 1), '', `failed: ${one.error.message}`]
        : [String(index + 1), String(one.id), one.outcome],
    ),
    view,
  ),
}));

export const archiveRenderer = rendererFor(memoryArchive, (output) => ({
  result: output.changed
    ? `Archived #${output.id}. \`loci update ${output.id} --status active\` brings it back.`
    : `#${output.id} was ${output.status} already.`,
}));

export const purgeRenderer = rendererFor(memoryPurge, (output) => ({
  result: output.purged ? `Erased #${output.id} for good.${alsoErased(output)}` : `#${output.id} was not there.`,
}));

/** What its erasure did to the memories that had united it. */
function alsoErased({ rewritten, purged_with }: { rewritten: number[]; purged_with: number[] }): string {
  const ids = (list: readonly number[]): string => list.map((id) => `#${id}`).join(', ');
  return [
    rewritten.length === 0 ? '' : ` Its sentences are gone from ${ids(rewritten)}, which had united it.`,
    purged_with.length === 0 ? '' : ` ${ids(purged_with)} said nothing else and went with it.`,
  ].join('');
}

export const aliasRenderer = rendererFor(aliasProject, (output) => ({
  result: `Project ${escapeLine(output.name)} is also known as ${escapeLine(output.aliases.join(', '))}.`,
}));

export const mergeRenderer = rendererFor(mergeProjects, (output) => ({
  result: `Moved ${output.moved} memories into project ${escapeLine(output.name)}.`,
}));

function saved(output: SaveOutput, view: View): Rendered {
  const id = view.style.cyan(`#${output.id}`);
  const where = output.project === null ? '' : ` in project ${escapeLine(output.project)}`;
  const likeness = output.similarity === undefined ? '' : ` (similarity ${output.similarity.toFixed(2)})`;
  const sentences = {
    created: `Saved ${id}${where}.`,
    merged: `Merged into ${id}${where}${likeness}.`,
    unchanged: `${id} says this already${where}.`,
  };
  return { result: sentences[output.outcome], notices: remarks(output) };
}

function remarks(output: SaveOutput): string[] {
  const notes: string[] = [];
  if (output.possible_conflict !== undefined) {
    notes.push(`It may contradict #${output.possible_conflict.id}; both are kept.`);
  }
  for (const old of output.obsolete_matches ?? []) notes.push(`#${old.id} said this before and was retired.`);
  if ((output.supersedes ?? []).length > 0) {
    notes.push(`It replaces ${(output.supersedes ?? []).map((id) => `#${id}`).join(', ')}.`);
  }
  return [...notes, ...output.warnings.map((warning) => `warning: ${warning}`)];
}
