// What upkeep did, or would do: a line that sums it up, then what it concerns, one a line.
import {
  memoryClean,
  memoryCompress,
  memoryConsolidate,
  memoryRestoreFiles,
  memoryUndoConsolidation,
} from '#shared/contract/upkeep.ts';
import { sizeText } from './age.ts';
import { escapeLine } from './escape.ts';
import { rendererFor } from './rendered.ts';

export const consolidateRenderer = rendererFor(memoryConsolidate, (output, { style }) => {
  const titles = new Map(output.archived.map((memory) => [memory.id, memory.title]));
  const unions = output.created.map(({ id, title, from, by }) =>
    [
      `${id === null ? style.dim('new') : style.cyan(`#${id}`)}  ${escapeLine(title)}${by === 'summary' ? style.dim('  (summary)') : ''}`,
      ...from.map((one) => `    ${style.dim('from')} ${style.cyan(`#${one}`)}  ${escapeLine(titles.get(one) ?? '')}`),
    ].join('\n'),
  );
  const did = output.dry_run ? 'Would unite' : 'United';
  const sum =
    output.clusters === 0
      ? `Nothing to unite among ${countOf(output.candidates, 'fading memory', 'fading memories')}.`
      : `${did} ${countOf(output.archived.length, 'memory', 'memories')} into ${output.clusters}.`;
  const undo = output.clusters === 0 || output.dry_run ? [] : ['`loci compact --undo ID` takes one of them back.'];
  return { result: [sum, ...unions].join('\n'), notices: undo };
});

export const undoConsolidationRenderer = rendererFor(memoryUndoConsolidation, ({ id, restored }) => ({
  result: `Brought back ${restored.map((one) => `#${one}`).join(', ')}; #${id} is archived.`,
}));

export const cleanRenderer = rendererFor(memoryClean, (output, { style }) => {
  const { expired, decayed, duplicates, memory_md: files } = output;
  const line = ({ id, title }: { id: number; title: string }, more = ''): string =>
    `  ${style.cyan(`#${id}`)}  ${escapeLine(title)}${more === '' ? '' : style.dim(`  ${more}`)}`;
  const sections = [
    section(
      'Expired',
      expired.map((memory) => line(memory)),
    ),
    section(
      'Faded',
      decayed.map((memory) => line(memory)),
    ),
    section(
      'Says the same as another',
      duplicates.map((memory) => line(memory, `as #${memory.kept}, similarity ${memory.similarity.toFixed(2)}`)),
    ),
    section(
      'MEMORY.md',
      files.map(({ file, outcome, why }) => `  ${escapeLine(file)}  ${style.dim(why ?? outcome)}`),
    ),
  ];
  const archived = expired.length + decayed.length + duplicates.length;
  const did = output.dry_run ? 'Would archive' : 'Archived';
  const sum = archived === 0 ? 'Nothing to archive.' : `${did} ${countOf(archived, 'memory', 'memories')}.`;
  return { result: [sum, ...sections.filter((text) => text !== '')].join('\n') };
});

export const compressRenderer = rendererFor(memoryCompress, (output, { style }) => ({
  result: [
    output.files === 0
      ? 'No memory file is stored whole: nothing to compress.'
      : `${output.dry_run ? 'Would replace' : 'Replaced'} ${countOf(output.files, 'file', 'files')} by stubs: ${sizeText(output.bytes_before)} become ${sizeText(output.bytes_after)}.`,
    ...output.compressed.map(({ file, memory }) => `  ${escapeLine(file)}  ${style.cyan(`#${memory}`)}`),
  ].join('\n'),
  notices: output.files === 0 || output.dry_run ? [] : ['`loci restore-md` writes them back.'],
}));

export const restoreFilesRenderer = rendererFor(memoryRestoreFiles, (output) => ({
  result: [
    output.files === 0
      ? 'No memory file to restore.'
      : `${output.dry_run ? 'Would restore' : 'Restored'} ${countOf(output.files, 'file', 'files')}.`,
    ...output.restored.map(({ file }) => `  ${escapeLine(file)}`),
  ].join('\n'),
  notices: output.left_alone.map(({ file, why }) => `left alone: ${escapeLine(file)}: ${why}`),
}));

function section(name: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [`${name}:`, ...lines].join('\n');
}

function countOf(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`;
}
