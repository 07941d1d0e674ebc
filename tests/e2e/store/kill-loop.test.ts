import { expect, it } from 'vitest';
import { runKillLoop } from '../../support/kill-loop.ts';

it('16 kills at random moments under 8 writers, consolidation, backups and re-embedding lose nothing and leave no orphan', {
  timeout: 900_000,
}, async () => {
  const { acknowledged, kills } = await runKillLoop({ kills: 16, writers: 8, seed: 7 });
  expect(kills).toBe(16);
  expect(acknowledged).toBeGreaterThan(50);
});
