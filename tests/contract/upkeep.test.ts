// Upkeep on every surface: what a store that is young and one whose memories have expired answer. Months of fading are driven in
// tests/integration/memories, where the clock is the test's.
import { expect } from 'vitest';
import { type SurfaceCase, testOnEverySurface } from '../support/contract-surfaces.ts';
import { daemonSurfaces } from '../support/daemon-surfaces.ts';

const text = 'the nightly job copies every table into the warehouse and mails the team when something fails there';
const saved = { output: expect.objectContaining({ outcome: 'created' }) };
const save = (content: string, more: object = {}) => ({
  operation: 'memory_save',
  input: { content, on_duplicate: 'keep', ...more },
  gives: saved,
});

const cases: SurfaceCase[] = [
  {
    name: 'a young store has nothing to consolidate, dry or not, and an unknown project is not found',
    steps: [
      save(text),
      ...[true, false].map((dry_run) => ({
        operation: 'memory_consolidate',
        input: { dry_run },
        gives: { output: { clusters: 0, created: [], archived: [], candidates: 0, dry_run } },
      })),
      {
        operation: 'memory_consolidate',
        input: { project: 'nowhere' },
        gives: { refused: 'not_found', says: /nowhere/ },
      },
      {
        operation: 'memory_consolidate',
        input: { dryrun: true },
        gives: { refused: 'invalid_input', says: /dry_run/ },
      },
    ],
  },
  {
    name: 'only what a consolidation made can be undone',
    steps: [
      save(text),
      { operation: 'memory_undo_consolidation', input: { id: 1 }, gives: { refused: 'conflict', says: /unites no/ } },
      { operation: 'memory_undo_consolidation', input: { id: 9 }, gives: { refused: 'not_found', says: /9/ } },
      { operation: 'memory_undo_consolidation', input: { id: 0 }, gives: { refused: 'invalid_input', field: 'id' } },
    ],
  },
  {
    name: 'clean-up shows duplicates first and archives them then, with a pointer to what says it',
    steps: [
      save(text),
      save(text, { tags: ['x'], confidence: 0.8 }),
      ...[true, false].map((dry_run) => ({
        operation: 'memory_clean',
        input: { dry_run },
        gives: {
          output: {
            expired: [],
            decayed: [],
            duplicates: [{ id: 1, title: text, kept: 2, similarity: expect.any(Number) }],
            memory_md: [],
            dry_run,
          },
        },
      })),
      {
        operation: 'memory_get',
        input: { id: 1 },
        gives: { output: expect.objectContaining({ status: 'archived', superseded_by: 2 }) },
      },
      {
        operation: 'memory_clean',
        input: {},
        gives: { output: { expired: [], decayed: [], duplicates: [], memory_md: [], dry_run: false } },
      },
    ],
  },
  {
    name: 'without memory files there is nothing to compress or restore',
    steps: [
      {
        operation: 'memory_compress',
        input: { root: '/nowhere/at/all' },
        gives: { output: { files: 0, bytes_before: 0, bytes_after: 0, compressed: [], dry_run: false } },
      },
      {
        operation: 'memory_restore_files',
        input: { dry_run: true },
        gives: { output: { files: 0, restored: [], left_alone: [], dry_run: true } },
      },
    ],
  },
];

testOnEverySurface(cases, daemonSurfaces);
