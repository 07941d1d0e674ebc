// The table that a run prints, and the file that it may write.
import { writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import type { Finding } from './figures.ts';

export type Measured = Finding & { readonly bench: string };

const columns = ['what', 'bar', 'measured', 'range', 'yardstick', 'ratio', ''] as const;

export function printTable(findings: readonly Finding[]): void {
  const rows = findings.map((finding) => [
    finding.what,
    finding.bar,
    finding.measured,
    finding.range,
    finding.yardstick,
    finding.ratio === null ? '' : finding.ratio.toFixed(2),
    finding.isMet ? 'met' : 'NOT MET',
  ]);
  const widths = columns.map((title, at) => Math.max(title.length, ...rows.map((row) => (row[at] ?? '').length)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  for (const row of [columns, ...rows]) process.stdout.write(`${line(row)}\n`);
}

export function writeJson(file: string, findings: readonly Measured[]): void {
  const machine = {
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
    cpus: cpus().length,
    memoryMb: Math.round(totalmem() / 2 ** 20),
    load: loadavg()[0],
  };
  writeFileSync(file, `${JSON.stringify({ measuredAt: new Date().toISOString(), machine, findings }, null, 2)}\n`);
}
