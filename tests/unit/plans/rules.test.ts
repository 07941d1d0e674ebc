import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { planMoves, taskMoves, waysTo } from '#daemon/plans/rules.ts';
import { root } from '../../support/source-tree.ts';

const page = readFileSync(join(root, 'docs/plans.md'), 'utf8');
const needs = { dependencies: 'every dependency `done` or `cancelled`', criteria: 'every criterion met', nothing: '' };

/** The rows of the table below a heading, cells trimmed. */
function rowsBelow(heading: string): string[][] {
  const section = page.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe('the rules of plans and tasks', () => {
  it('the page shows the moves of a plan as the check knows them', () => {
    const rows = Object.entries(planMoves).map(([from, to]) => [
      `\`${from}\``,
      to.map((status) => `\`${status}\``).join(', '),
    ]);
    expect(rowsBelow('The moves of a plan')).toEqual(rows);
  });

  it('the page shows the moves of a task and what each needs as the check knows them', () => {
    const rows = Object.entries(taskMoves).flatMap(([from, ways]) =>
      Object.entries(ways).map(([to, need]) => [`\`${from}\``, `\`${to}\``, needs[need]]),
    );
    expect(rowsBelow('The moves of a task')).toEqual(rows);
  });

  it('all ways to one state need the same, because the statement that moves a task asks for it once', () => {
    for (const state of ['todo', 'doing', 'waiting', 'done', 'cancelled'] as const) {
      expect(new Set(waysTo(state).map((way) => way.needs)).size).toBe(1);
    }
  });
});
