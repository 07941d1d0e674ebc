// Builds the toy daemon and client: child processes cannot run TypeScript under Node 20.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Paths of the built programs, there for the tests of the calling file. */
export function toyPrograms(): { readonly daemon: string; readonly client: string } {
  const outdir = `${root}/dist/toys-${process.pid}`; // below the package, where native modules are found
  beforeAll(async () => {
    await build({
      absWorkingDir: root,
      entryPoints: { locid: 'tests/support/toy-daemon.ts', client: 'tests/support/toy-client.ts' },
      outdir,
      bundle: true,
      splitting: true,
      platform: 'node',
      target: 'node20',
      format: 'esm',
      external: ['better-sqlite3'],
      banner: {
        js: "import { createRequire as createRequire__ } from 'node:module'; const require = createRequire__(import.meta.url);",
      },
    });
  });
  afterAll(() => rmSync(outdir, { recursive: true, force: true }));
  return { daemon: `${outdir}/locid.js`, client: `${outdir}/client.js` };
}
