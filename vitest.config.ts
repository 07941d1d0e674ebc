import { defineConfig } from 'vitest/config';

/** Beside the contract: what a change of the engine could break. Tests that look into the files of SQLite or LanceDB are not among them. */
const onEveryEngine = [
  'graph/{entities,graph}',
  'hooks/{recall,sweep}',
  'memories/{as-of,consistency,hidden,near-notes,save,search-scope}',
  'plans/keeping',
  'projects/projects',
  'skills/skills',
  'things/erasure',
  'transfer/{merge,merge-fields,refusals,round-trip}',
  'users/tokens',
].map((test) => `tests/integration/${test}.test.ts`);

type Options = { timeoutMs?: number; serial?: boolean; globalSetup?: string };

const project = (name: string, include: string[], options: Options = {}) => ({
  extends: true as const,
  test: {
    name,
    include,
    testTimeout: options.timeoutMs ?? 15_000,
    hookTimeout: options.timeoutMs ?? 15_000,
    ...(options.serial === true ? { fileParallelism: false } : {}),
    ...(options.globalSetup === undefined ? {} : { globalSetup: options.globalSetup }),
  },
});

export default defineConfig({
  test: {
    pool: 'forks',
    // CI shares its two cores with others: what waits for real time may need a second go there, and says so in the report
    retry: process.env.CI === 'true' ? 2 : 0,
    maxWorkers: 2,
    projects: [
      project('static', ['tests/*.test.ts', 'tests/golden/**/*.test.ts']),
      project('unit', ['tests/unit/**/*.test.ts']),
      project('integration', ['tests/integration/**/*.test.ts'], { timeoutMs: 90_000 }),
      project('contract', ['tests/contract/**/*.test.ts'], { timeoutMs: 180_000 }),
      project('e2e', ['tests/e2e/**/*.test.ts'], { timeoutMs: 180_000, serial: true }),
      project('editors', ['tests/editors/**/*.test.ts'], { timeoutMs: 60_000 }),
      project('agents', ['tests/agents/**/*.test.ts'], { timeoutMs: 300_000, serial: true }),
      project('postgres', ['tests/contract/**/*.test.ts', ...onEveryEngine, 'tests/postgres/**/*.test.ts'], {
        timeoutMs: 120_000,
        globalSetup: 'tests/support/postgres/global-setup.ts',
      }),
      project('browser', ['tests/browser/**/*.test.ts'], { timeoutMs: 120_000, serial: true }),
      project('long', ['tests/long/**/*.test.ts'], { timeoutMs: 3_600_000, serial: true }),
    ],
  },
});
