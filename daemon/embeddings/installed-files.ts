import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder the program is installed in: the nearest one above this file that holds a `package.json`. True of the sources and of `dist/`. */
export function installationFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) folder = dirname(folder);
  return folder;
}

/** Where the weights that come with the program lie. */
export function bundledModelsFolder(): string {
  return join(installationFolder(), 'models');
}

/** The built thread of the model: a thread cannot run TypeScript on Node 20. */
export function builtWorkerFile(): string {
  return join(installationFolder(), 'dist', 'embedding-worker.js');
}
