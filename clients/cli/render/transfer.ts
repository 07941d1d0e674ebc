// How an import and an export are told: counts of what there was, and every bad record with its line.
import type { ImportReport, ImportStatus } from '#shared/contract/transfer.ts';
import { escapeLine } from './escape.ts';
import type { Rendered } from './rendered.ts';

const maxShown = 20;

const plurals: Readonly<Record<string, string>> = {
  memory: 'memories',
  entity: 'entities',
  dependency: 'dependencies',
  code_artifact: 'code artifacts',
};

/** `12 memories, 3 links`; kinds without any are left out. */
export function countsLine(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  return parts.length === 0 ? 'nothing' : parts.map(([kind, count]) => `${count} ${kindWord(kind, count)}`).join(', ');
}

function kindWord(kind: string, count: number): string {
  return count === 1 ? kind.replace('_', ' ') : (plurals[kind] ?? `${kind}s`);
}

export function renderImport(status: ImportStatus): Rendered {
  const { report, state, error, dry_run: isDry } = status;
  if (report === null) return { result: error ?? `The import is ${state}.` };
  const lines = [headline(status, report)];
  for (const what of ['updated', 'unchanged', 'skipped'] as const) {
    const counts = Object.fromEntries(Object.entries(report.counts).map(([kind, known]) => [kind, known[what]]));
    if (Object.values(counts).some((count) => count > 0)) lines.push(`${capital(what)}: ${countsLine(counts)}.`);
  }
  if (report.conflict_count > 0) {
    const where = isDry ? 'would be' : 'were';
    lines.push(`${report.conflict_count} changed on both sides ${where} merged; the other text is kept:`);
    for (const { kind, id, fields } of report.conflicts.slice(0, maxShown)) {
      lines.push(`  ${kindWord(kind, 1)} #${id}: ${fields.join(', ')}`);
    }
    const more = report.conflict_count - Math.min(report.conflicts.length, maxShown);
    if (more > 0) lines.push(`  and ${more} more`);
  }
  return { result: lines.join('\n'), notices: noticesOf(status, report) };
}

function headline({ state, error, dry_run: isDry }: ImportStatus, report: ImportReport): string {
  if (state === 'refused') {
    const many = report.problem_count === 1 ? '1 record is' : `${report.problem_count} records are`;
    return `Nothing was imported: ${many} bad. --skip-invalid imports the others.`;
  }
  if (state !== 'done') return error ?? `The import is ${state}: run it again.`;
  const added = Object.fromEntries(Object.entries(report.counts).map(([kind, known]) => [kind, known.added]));
  return `${isDry ? 'Would import' : 'Imported'} ${countsLine(added)} from ${report.source}.`;
}

function noticesOf({ state }: ImportStatus, report: ImportReport): string[] {
  const shown = report.problems.slice(0, maxShown).map(({ line, kind, problem }) => {
    const where = [line === null ? null : `line ${line}`, kind].filter((part) => part !== null).join(', ');
    return `${where === '' ? '' : `${where}: `}${escapeLine(problem)}`;
  });
  const more = report.problem_count - shown.length;
  return [
    ...(shown.length > 0 && state !== 'refused' ? [`Skipped ${report.problem_count}:`] : []),
    ...shown,
    ...(more > 0 ? [`and ${more} more (--json lists a thousand)`] : []),
    ...report.notices,
    ...(report.redactions > 0 ? [`${counted(report.redactions, 'secret')} replaced by [redacted: …].`] : []),
    ...(report.nul_stripped > 0 ? [`${counted(report.nul_stripped, 'NUL character')} dropped.`] : []),
  ];
}

function counted(count: number, what: string): string {
  return count === 1 ? `1 ${what} was` : `${count} ${what}s were`;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
