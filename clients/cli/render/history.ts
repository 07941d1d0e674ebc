import { memoryHistory } from '#shared/contract/history.ts';
import { escapeBlock, escapeLine } from './escape.ts';
import { rendererFor } from './rendered.ts';

/** Every version, newest first, as the daemon orders them. */
export const historyRenderer = rendererFor(memoryHistory, (output, view) => ({
  result: output.versions
    .map((entry) => {
      const until = entry.recorded_to ?? 'now';
      const changed = entry.changed.length === 0 ? '' : ` (${entry.changed.join(', ')})`;
      const by = entry.agent === null ? '' : ` by ${escapeLine(entry.agent)}`;
      const heading = view.style.bold(`version ${entry.version}`);
      const about = view.style.dim(`${entry.recorded_from} to ${until}`);
      const text = escapeBlock(entry.content)
        .split('\n')
        .map((line) => (line === '' ? '' : `    ${line}`))
        .join('\n');
      return `${heading}  ${about}  ${entry.action}${escapeLine(changed)}${by}\n  ${escapeLine(entry.title)}\n${text}`;
    })
    .join('\n\n'),
  notices: output.versions.length === 0 ? [`Memory #${output.id} has no earlier version.`] : [],
}));
