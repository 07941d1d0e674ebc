import { expect, it } from 'vitest';
import { renderImport } from '#clients/cli/render/transfer.ts';
import type { ImportStatus } from '#shared/contract/transfer.ts';

const status = (dry_run: boolean, conflicts: number): ImportStatus => ({
  import_id: 'i',
  state: 'done',
  dry_run,
  received_bytes: 0,
  progress: { done: 2, total: 2, unit: 'records' },
  report: {
    source: 'loci',
    counts: { memory: { added: 0, updated: conflicts, unchanged: 0, skipped: 0 } },
    problems: [],
    problem_count: 0,
    conflicts: Array.from({ length: Math.min(conflicts, 100) }, (_, index) => ({
      kind: 'memory',
      id: index + 1,
      uid: 'u',
      fields: ['content', 'tags'],
    })),
    conflict_count: conflicts,
    notices: [],
    redactions: 0,
    nul_stripped: 0,
  },
  error: null,
  error_code: null,
  created_at: '2026-01-05T08:00:00.000Z',
  updated_at: '2026-01-05T08:00:00.000Z',
});

it('an import tells which things both sides changed, and a dry run which would be merged', () => {
  expect(renderImport(status(true, 1)).result).toBe(
    'Would import nothing from loci.\nUpdated: 1 memory.\n1 changed on both sides would be merged; the other text is kept:\n  memory #1: content, tags',
  );
  const many = String(renderImport(status(false, 130)).result).split('\n');
  expect(many.slice(-3)).toEqual(['  memory #19: content, tags', '  memory #20: content, tags', '  and 110 more']);
});
