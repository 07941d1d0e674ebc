import type { FileChange, SetupPlan } from '#clients/agents/index.ts';
import { escapeLine } from './escape.ts';
import type { Rendered } from './rendered.ts';
import type { View } from './style.ts';
import { type DiffLine, unifiedDiff } from './unified-diff.ts';

/** A text that is ours alone is shown by its beginning; what goes into settings is shown whole. */
const maxTextLines = 3;

export function changeToDiff({ before, after, state }: FileChange): string {
  return state === 'refused' || state === 'kept'
    ? ''
    : diffOf(before?.bytes, after)
        .map(({ sign, text }) => `${sign}${text}`)
        .join('\n');
}

/** Every change, file by file, as a person reads it before they agree. */
export function renderChanges(changes: readonly FileChange[], { style }: View): string {
  const paint = { ' ': style.dim, '@': style.dim, '+': style.green, '-': style.red };
  const parts = changes.map((change) => {
    const lines = diffOf(change.before?.bytes, change.after);
    const isText = change.edits?.every(({ role }) => role === 'text') === true && change.state !== 'change';
    const shown = isText ? lines.slice(0, maxTextLines) : lines;
    return [
      `${style.bold(escapeLine(change.file))}${linkText(change)}  ${style.dim(`(${change.state}; ${change.owners.join(', ')})`)}`,
      ...shown.map(({ sign, text }) => paint[sign](`  ${sign === '@' ? '…' : `${sign} ${escapeLine(text)}`}`)),
      ...(shown.length < lines.length ? [style.dim(`  … ${lines.length - shown.length} more lines`)] : []),
    ].join('\n');
  });
  return parts.join('\n\n');
}

export type SetupOutcome = {
  readonly changes: readonly FileChange[];
  readonly notes: SetupPlan['notes'];
  readonly restart: readonly { readonly agent: string; readonly text: string }[];
  readonly isDry: boolean;
  readonly isUndo: boolean;
};

export function renderOutcome(outcome: SetupOutcome, { style }: View): Rendered {
  const { changes, notes, restart, isDry, isUndo } = outcome;
  const count = (...states: FileChange['state'][]): number =>
    changes.filter(({ state }) => states.includes(state)).length;
  const counts = [
    [count('create', 'change'), isUndo ? 'restored' : 'written', isUndo ? 'to restore' : 'to write'],
    [count('remove'), 'removed', 'to remove'],
    [count('same'), isUndo ? 'without Loci' : 'as they should be', isUndo ? 'without Loci' : 'as they should be'],
  ] as const;
  const words = counts.flatMap(([many, done, open]) => (many === 0 ? [] : [`${many} ${isDry ? open : done}`]));
  const files = words.length === 0 ? 'No file to change.' : `Files: ${words.join(', ')}.`;
  const left = changes.filter(({ why }) => why !== null);
  return {
    result: [isDry ? `${files} Nothing was changed.` : files, ...(isDry ? [] : restart.map(({ text }) => text))].join(
      '\n',
    ),
    notices: [
      ...left.map(({ file, state, why }) => {
        const paint = state === 'refused' ? style.red : style.yellow;
        return `${paint(state)}: ${escapeLine(file)} ${escapeLine(why ?? '')}.`;
      }),
      ...notes.map(({ text }) => text),
    ],
  };
}

function diffOf(before: Buffer | undefined, after: Buffer | null): DiffLine[] {
  return unifiedDiff(before?.toString('utf8') ?? '', after?.toString('utf8') ?? '');
}

function linkText({ file, target }: FileChange): string {
  return file === target ? '' : ` → ${escapeLine(target)}`;
}
