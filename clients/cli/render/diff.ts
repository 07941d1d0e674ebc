import { memoryDiff } from '#shared/contract/history.ts';
import { escapeBlock, escapeLine } from './escape.ts';
import { rendererFor } from './rendered.ts';

/** What differs between two versions: lines that went with a minus, lines that came with a plus, field by field. */
export const diffRenderer = rendererFor(memoryDiff, (output, view) => ({
  result: [
    view.style.bold(`version ${output.from} → ${output.to}`),
    ...output.changes.map(({ field, old, new: next }) => {
      const [before, after] = [linesOf(old), linesOf(next)];
      const gone = before.filter((line) => !after.includes(line)).map((line) => `  - ${line}`);
      const come = after.filter((line) => !before.includes(line)).map((line) => `  + ${line}`);
      return [escapeLine(field), ...gone, ...come].join('\n');
    }),
  ].join('\n'),
  notices: output.changes.length === 0 ? ['The two versions are the same.'] : [],
}));

function linesOf(value: unknown): string[] {
  if (value === null || value === undefined || value === '') return [];
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return escapeBlock(text).split('\n');
}
