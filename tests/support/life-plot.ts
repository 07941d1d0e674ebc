// What became of memories over time, as a table for people and as a plot.

export type Life = {
  readonly key: string;
  /** What it is, for the table. */
  readonly what: string;
  readonly id: number;
  readonly readEveryDays: number | null;
  readonly fromDay: number;
  /** Its decay on each day from `fromDay` on, before that day's reads and jobs. */
  readonly decays: number[];
  endedOnDay: number | null;
  why: string | null;
};

const shownDays = [0, 50, 100, 150, 200, 250, 300, 350, 400];

/** A row for each memory: its decay on some days, and how it ended. */
export function lifeTable(lives: readonly Life[], days: number): string {
  const shown = shownDays.filter((day) => day <= days);
  const rows = lives.map((life) => [
    life.what,
    ...shown.map((day) => decayOn(life, day)?.toFixed(2) ?? ''),
    life.endedOnDay === null ? 'active' : `day ${life.endedOnDay}: ${(life.why ?? '').replace(/ \d+$/, ' …')}`,
  ]);
  const lines = [['memory', ...shown.map((day) => `day ${day}`), 'what became of it'], ...rows];
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length))) ?? [];
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} |`;
  return [
    line(lines[0] ?? []),
    `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`,
    ...lines.slice(1).map(line),
  ].join('\n');
}

function decayOn({ decays, fromDay }: Life, day: number): number | undefined {
  return decays[day - fromDay];
}

const size = { width: 760, height: 400, left: 46, right: 206, top: 16, bottom: 36 };
const colours = ['#1b6ca8', '#2a9d8f', '#c1121f', '#e07a1f', '#6a4c93', '#264653', '#b5179e', '#6c757d'];
const plotted = ['weekly', 'quarterly', 'save', 'checkpoint', 'debate', 'human', 'repeated', 'united'];

/** Decay over days, a line a memory, to the day it was archived; the two thresholds are dashed. */
export function decayPlot(lives: readonly Life[], days: number): string {
  const x = (day: number): number => size.left + (day / days) * (size.width - size.left - size.right);
  const y = (decay: number): number => size.top + (1 - decay) * (size.height - size.top - size.bottom);
  const at = (day: number, decay: number): string => `${x(day).toFixed(1)},${y(decay).toFixed(1)}`;
  const grid = [0, 100, 200, 300, 400].map(
    (day) =>
      `<path d="M${at(day, 0)}V${y(1).toFixed(1)}" stroke="#ddd"/><text x="${x(day).toFixed(1)}" y="${size.height - 18}" text-anchor="middle">${day}</text>`,
  );
  const levels = [0, 0.5, 1].map(
    (decay) => `<text x="${size.left - 8}" y="${(y(decay) + 4).toFixed(1)}" text-anchor="end">${decay}</text>`,
  );
  const thresholds = [0.3, 0.1].map(
    (decay) =>
      `<path d="M${at(0, decay)}H${x(days).toFixed(1)}" stroke="#888" stroke-dasharray="4 4"/><text x="${size.left - 8}" y="${(y(decay) + 4).toFixed(1)}" text-anchor="end">${decay}</text>`,
  );
  const shown = plotted.flatMap((key) => lives.find((life) => life.key === key) ?? []);
  const curves = shown.map((life, index) => {
    const points = life.decays.map((decay, day) => at(life.fromDay + day, decay)).join(' ');
    const last = life.decays.length - 1;
    const [dotX, dotY] = at(life.fromDay + last, life.decays[last] ?? 0).split(',');
    const dot = life.endedOnDay === null ? '' : `<circle cx="${dotX}" cy="${dotY}" r="4" fill="${colours[index]}"/>`;
    return `<polyline points="${points}" fill="none" stroke="${colours[index]}" stroke-width="1.8"/>${dot}`;
  });
  const legend = shown.map((life, index) => {
    const line = size.top + 14 + index * 20;
    const left = size.width - size.right + 14;
    return `<path d="M${left} ${line - 4}h18" stroke="${colours[index]}" stroke-width="3"/><text x="${left + 24}" y="${line}">${life.key}</text>`;
  });
  const caption = `<text x="${x(days / 2).toFixed(1)}" y="${size.height - 3}" text-anchor="middle">days (a dot: archived)</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" font-family="sans-serif" font-size="12">`,
    '<title>Decay of eight memories over four hundred days</title>',
    '<rect width="100%" height="100%" fill="#fff"/>',
    ...grid,
    ...levels,
    ...thresholds,
    ...curves,
    ...legend,
    caption,
    '</svg>',
    '',
  ].join('\n');
}
