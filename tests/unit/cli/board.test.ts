import { describe, expect, it } from 'vitest';
import { renderOutput } from '#clients/cli/render/renderers.ts';
import { createStyle, type View } from '#clients/cli/render/style.ts';

const at = '2026-01-05T09:00:00.000Z';
const nowMs = Date.UTC(2026, 0, 5, 9);
const view = (columns: number | null, colour = false): View => ({
  style: createStyle(colour),
  columns,
  nowMs,
  input: {},
});

const task = (id: number, title: string, more: object = {}) => ({
  id,
  task_id: id,
  title,
  plan_id: 7,
  state: 'todo',
  priority: 'P2',
  assigned_agent: null,
  version: 1,
  lease_expires_at: null,
  blocked: false,
  created_at: at,
  updated_at: at,
  criteria_met: 0,
  criteria_total: 0,
  ...more,
});

const board = {
  plan: { id: 7, title: 'Move the cart', status: 'active', goal: 'no locks', task_count: 4 },
  columns: [
    {
      state: 'todo',
      total: 52,
      tasks: [
        task(1, 'Write it', { priority: 'P0', criteria_total: 2, criteria_met: 1 }),
        task(2, 'Ship \u001b[31mit', { blocked: true }),
      ],
    },
    { state: 'doing', total: 1, tasks: [task(3, 'Look at it', { assigned_agent: 'builder-1' })] },
    { state: 'waiting', total: 0, tasks: [] },
    { state: 'done', total: 1, tasks: [task(4, 'Begin')] },
    { state: 'cancelled', total: 0, tasks: [] },
  ],
  progress: { done: 1, cancelled: 0, open: 53, blocked: 1, percent: 25 },
};

describe('the board of a plan', () => {
  it('stands side by side on a terminal that is wide enough, each card cut to its column', () => {
    const { result } = renderOutput('show_plan', board, view(90));
    expect(result.split('\n')).toEqual([
      '#7 Move the cart (active)',
      'no locks',
      '[#####...............] 25%  1 done, 53 open, 1 blocked',
      '',
      'TODO 52                       DOING 1                       DONE 1',
      '#1 P0 1/2 Write it            #3 P2 @builder-1 Look at it   #4 P2 Begin',
      '#2 P2 [blocked] Ship \\x1b[3…',
      '… 50 more',
    ]);
  });

  it('goes one below the other in a narrow terminal and in a pipe, where nothing is cut', () => {
    for (const columns of [null, 40]) {
      const { result } = renderOutput('show_plan', board, view(columns));
      expect(result).toContain('\nDOING 1\n  #3 P2 @builder-1 Look at it\n\nDONE 1\n');
      expect(result).toContain('#2 P2 [blocked] Ship \\x1b[31mit');
    }
  });

  it('paints what is blocked, without changing the width', () => {
    const { result } = renderOutput('show_plan', board, view(90, true));
    expect(result).toContain('\u001b[33m#2 P2 [blocked]');
  });

  it('says when there is nothing yet', () => {
    const empty = { ...board, columns: [], progress: { done: 0, cancelled: 0, open: 0, blocked: 0, percent: 0 } };
    expect(renderOutput('show_plan', empty, view(90)).result).toMatch(/No tasks yet\.$/);
  });
});
