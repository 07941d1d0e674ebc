import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { installationFolder } from '#daemon/embeddings/installed-files.ts';

describe('the room of embeddings', () => {
  it('loads the runtime of the model in the thread alone: on the main thread it would cost every start 30 MB and 100 ms', () => {
    const folder = join(installationFolder(), 'daemon', 'embeddings');
    const heavy = /from '(?:@huggingface|onnxruntime)|import\('(?:@huggingface|onnxruntime)|from '\.\/worker\.ts'/;
    const files = readdirSync(folder).filter((name) => heavy.test(readFileSync(join(folder, name), 'utf8')));
    expect(files).toEqual(['worker.ts']);
  });
});
