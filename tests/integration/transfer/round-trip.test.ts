// What comes out must go in again, all of it, and going in twice must change nothing.
import { describe, expect, it } from 'vitest';
import { plantAll } from '../../support/everything-plot.ts';
import { openTestStore } from '../../support/test-store.ts';
import { exportLines, importInto } from '../../support/transfer.ts';

type Head = { readonly counts: Record<string, number>; readonly left_out: { readonly memories: number } };

const sorted = (lines: readonly string[]): string[] => lines.slice(1).sort();

describe('an export', () => {
  it('B29 of everything, imported into an empty store and exported again, is equal', async () => {
    const first = await openTestStore();
    await plantAll(first);
    const lines = await exportLines(first);
    const head = JSON.parse(lines[0] ?? '') as Head;
    for (const [kind, count] of Object.entries(head.counts)) expect({ kind, count }).not.toEqual({ kind, count: 0 });

    const second = await openTestStore({ clock: first.clock });
    const status = await importInto(second, `${lines.join('\n')}\n`);
    expect(status).toMatchObject({ state: 'done', error: null, report: { problem_count: 0, source: 'loci' } });
    const added = Object.fromEntries(
      Object.entries(status.report?.counts ?? {}).map(([kind, { added }]) => [kind, added]),
    );
    expect(added).toEqual(head.counts);
    const again = await exportLines(second);
    expect(sorted(again)).toEqual(sorted(lines));
    expect((JSON.parse(again[0] ?? '') as Head).counts).toEqual(head.counts);
  });

  it('B28 imported into its own store changes nothing, however often, with or without what is hidden', async () => {
    const test = await openTestStore();
    await plantAll(test);
    // what jobs would do meanwhile is done
    for (const name of ['clean', 'flush_accesses']) await test.call('run_job', { name });
    const before = await exportLines(test);
    for (const lines of [
      before,
      await exportLines(test, { all: false }),
      await exportLines(test, { project: 'shop' }),
    ]) {
      const { report, state } = await importInto(test, lines.join('\n'));
      expect({ state, problems: report?.problems }).toEqual({ state: 'done', problems: [] });
      for (const [kind, counts] of Object.entries(report?.counts ?? {})) {
        expect({ kind, ...counts }).toEqual({ kind, added: 0, updated: 0, skipped: 0, unchanged: counts.unchanged });
      }
    }
    expect(sorted(await exportLines(test))).toEqual(sorted(before));
  });
});
