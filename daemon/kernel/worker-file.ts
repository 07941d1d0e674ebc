// A worker runs from its bundle in dist/, because Node 20 cannot run TypeScript in a thread. The module that starts it may itself be
// source (tests), `dist/locid.js`, or one of its chunks in `dist/chunks/`: so the bundle is looked for from here upwards.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { LociError } from '#shared/errors.ts';

/** The URL of the bundle `dist/<name>.js`. Throws `unavailable` when the program was not built. */
export function workerFile(name: string): URL {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    for (const file of [join(folder, `${name}.js`), join(folder, 'dist', `${name}.js`)]) {
      if (existsSync(file)) return pathToFileURL(file);
    }
    const parent = dirname(folder);
    if (parent === folder) break;
    folder = parent;
  }
  throw new LociError('unavailable', `The program '${name}' is missing: run \`npm run build\`.`, { program: name });
}
