import { describe, expect, it } from 'vitest';
import { runCliHere } from '../../support/run-cli.ts';

const consolidated = {
  clusters: 1,
  created: [{ id: 9, title: 'Deploys', from: [3, 5], by: 'merge' }],
  archived: [
    { id: 3, title: 'We deploy', superseded_by: 9 },
    { id: 5, title: 'Deploys\nrun', superseded_by: 9 },
  ],
  candidates: 12,
  dry_run: false,
};

describe('loci compact', () => {
  it('unites, and shows what became of what', async () => {
    const run = await runCliHere(['compact', '--project', 'shop'], { answer: () => consolidated });
    expect(run.calls).toEqual([{ operation: 'memory_consolidate', input: { project: 'shop', dry_run: false } }]);
    expect(run.stdout.split('\n')).toEqual([
      'United 2 memories into 1.',
      '#9  Deploys',
      '    from #3  We deploy',
      '    from #5  Deploys\\nrun',
      '',
    ]);
    expect(run.stderr).toContain('--undo');
  });

  it('--dry-run says what it would do', async () => {
    const plan = { ...consolidated, created: [{ ...consolidated.created[0], id: null }], dry_run: true };
    const run = await runCliHere(['compact', '--dry-run'], { answer: () => plan });
    expect(run.calls).toEqual([{ operation: 'memory_consolidate', input: { dry_run: true } }]);
    expect(run.stdout).toContain('Would unite 2 memories into 1.\nnew  Deploys');
    expect(run.stderr).toBe('');
  });

  it('--undo takes one union back, and stands alone', async () => {
    const run = await runCliHere(['compact', '--undo', '9'], { answer: () => ({ id: 9, restored: [3, 5] }) });
    expect(run.calls).toEqual([{ operation: 'memory_undo_consolidation', input: { id: '9' } }]);
    expect(run.stdout).toBe('Brought back #3, #5; #9 is archived.\n');
    expect((await runCliHere(['compact', '--undo', '9', '--dry-run'])).code).toBe(2);
    expect((await runCliHere(['compact', '--undo', ''])).code).toBe(2);
  });

  it('--json prints the answer and nothing else', async () => {
    const run = await runCliHere(['compact', '--json'], { answer: () => consolidated });
    expect(JSON.parse(run.stdout)).toEqual(consolidated);
  });
});

describe('what upkeep says', () => {
  it('clean lists what goes under the reason, and the files', async () => {
    const answer = () => ({
      expired: [{ id: 1, title: 'Old' }],
      decayed: [],
      duplicates: [{ id: 2, title: 'Twice', kept: 4, similarity: 0.971 }],
      memory_md: [{ file: '/a/MEMORY.md', project: 'shop', memories: [4], outcome: 'refreshed' }],
      dry_run: false,
    });
    expect((await runCliHere(['clean'], { answer })).stdout.split('\n')).toEqual([
      'Archived 2 memories.',
      'Expired:',
      '  #1  Old',
      'Says the same as another:',
      '  #2  Twice  as #4, similarity 0.97',
      'MEMORY.md:',
      '  /a/MEMORY.md  refreshed',
      '',
    ]);
    const nothing = () => ({ expired: [], decayed: [], duplicates: [], memory_md: [], dry_run: true });
    expect((await runCliHere(['clean', '--dry-run'], { answer: nothing })).stdout).toBe('Nothing to archive.\n');
  });

  it('compress and restore-md sum up, and name each file', async () => {
    const compressed = () => ({
      files: 1,
      bytes_before: 2_048,
      bytes_after: 100,
      compressed: [{ file: '/a/b.md', memory: 7, bytes_before: 2_048, bytes_after: 100 }],
      dry_run: false,
    });
    expect((await runCliHere(['compress'], { answer: compressed })).stdout).toBe(
      'Replaced 1 file by stubs: 2.0 KB become 100 B.\n  /a/b.md  #7\n',
    );
    const restored = () => ({
      files: 1,
      restored: [{ file: '/a/b.md', bytes: 2_048 }],
      left_alone: [{ file: '/a/c.md', why: 'it was changed since' }],
      dry_run: false,
    });
    const run = await runCliHere(['restore-md'], { answer: restored });
    expect(run.stdout).toBe('Restored 1 file.\n  /a/b.md\n');
    expect(run.stderr).toContain('left alone: /a/c.md: it was changed since');
  });
});
