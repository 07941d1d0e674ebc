import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { builtWorkerFile, bundledModelsFolder, installationFolder } from '#daemon/embeddings/installed-files.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** A process that ends itself, with code 70, a moment after it began to load the model or to embed. */
const program = `
  import { createBundledEmbedder } from '#daemon/embeddings/bundled.ts';
  const [, , modelsFolder, workerFile, when, afterMs] = process.argv;
  const logger = { error() {}, warn() {} };
  const embedder = createBundledEmbedder({ clock: { now: () => 0 }, logger }, { modelsFolder, workerFile });
  const loading = embedder.warm();
  if (when === 'embedding') {
    await loading;
    embedder.embed(Array.from({ length: 50 }, () => 'a long text '.repeat(80)), { lane: 'bulk', purpose: 'passage' });
  }
  setTimeout(() => process.exit(70), Number(afterMs));
`;

describe('a process that ends at once', () => {
  let code: string;
  beforeAll(async () => {
    const { outputFiles } = await build({
      stdin: { contents: program, resolveDir: installationFolder(), loader: 'ts' },
      bundle: true,
      write: false,
      platform: 'node',
      format: 'esm',
    });
    code = outputFiles[0]?.text ?? '';
  });

  it.each([
    ['loading', 150],
    ['loading', 300],
    ['loading', 450],
    ['embedding', 30],
    ['embedding', 100],
  ])('while it is %s, after %d ms, ends with the code that was meant', async (when, afterMs) => {
    const folder = tempFolder();
    const args = ['--input-type=module', '-', bundledModelsFolder(), builtWorkerFile(), when, String(afterMs)];
    const child = spawn(process.execPath, args, { cwd: join(folder), stdio: ['pipe', 'ignore', 'pipe'] });
    let said = '';
    child.stderr?.on('data', (piece) => {
      said += piece;
    });
    child.stdin?.end(code);
    const ended = await new Promise((resolve) =>
      child.on('close', (exitCode, signal) => resolve({ exitCode, signal })),
    );
    expect(ended, said).toEqual({ exitCode: 70, signal: null });
  });
});
