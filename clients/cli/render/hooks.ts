// What the hooks say, as a person reads it before an agent does.
import { memoryRecall, memoryRecap, memorySweep } from '#shared/contract/hooks.ts';
import { escapeBlock, escapeLine } from './escape.ts';
import { rendererFor } from './rendered.ts';
import { table } from './table.ts';

const silences: Readonly<Record<string, string>> = {
  no_words: 'There is no word in the prompt: the hook says nothing.',
  nothing_relevant: 'Nothing is relevant: the hook says nothing.',
  already_shown: 'This session has been shown what is relevant: the hook says nothing.',
  turned_off: 'Recall is turned off: see `loci config hooks.recall_limit`.',
  no_project: 'You are in no project: the hook says nothing.',
};

export const recallRenderer = rendererFor(memoryRecall, ({ text, silent, degraded }) => ({
  result: escapeBlock(text),
  notices: [...silenceNotice(silent), ...degradedNotice(degraded)],
}));

export const recapRenderer = rendererFor(memoryRecap, ({ text, silent }) => ({
  result: escapeBlock(text),
  notices: silenceNotice(silent),
}));

export const sweepRenderer = rendererFor(memorySweep, (output, view) => {
  const rows = [
    ...output.saved.map(({ id, type, title }) => [String(id), type, title]),
    ...output.found.map(({ type, text }) => ['', type, text]),
  ];
  const columns = [
    { head: 'ID', align: 'right', paint: view.style.cyan },
    { head: 'TYPE' },
    { head: 'STATEMENT' },
  ] as const;
  const saved = output.dry_run ? `${output.found.length} would be saved` : `${output.saved.length} saved`;
  return {
    result: rows.length === 0 ? '' : table(columns, rows, view),
    notices: [
      `${output.messages} messages of ${output.format}: ${saved}, ${output.known} known already, ${output.redactions} secrets taken out.`,
      ...output.skipped_lines.map(({ line, why }) => `Line ${line} ${escapeLine(why)}; skipped.`),
      ...(output.skipped > output.skipped_lines.length ? [`${output.skipped} lines were skipped in all.`] : []),
    ],
  };
});

function silenceNotice(silent: string | null): string[] {
  return silent === null ? [] : [silences[silent] ?? 'The hook says nothing.'];
}

function degradedNotice(degraded: readonly string[]): string[] {
  return degraded.length === 0 ? [] : [`This recall did without: ${degraded.join(', ')}. \`loci health\` says why.`];
}
