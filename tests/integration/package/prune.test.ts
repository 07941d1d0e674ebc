import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../support/source-tree.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const otherSystem = process.platform === 'darwin' ? 'linux' : 'darwin';
const otherChip = process.arch === 'x64' ? 'arm64' : 'x64';

/** A package folder with what npm puts below it, and the script where it lies. */
function installed(isCheckout: boolean) {
  const folder = join(tempFolder(), 'loci-memory');
  const modules = join(folder, 'node_modules');
  const put = (path: string, text = 'x') => {
    mkdirSync(join(modules, path, '..'), { recursive: true });
    writeFileSync(join(modules, path), text);
  };
  for (const [system, chip] of [
    [process.platform, process.arch],
    [process.platform, otherChip],
    [otherSystem, 'arm64'],
  ] as const) {
    put(`onnxruntime-node/bin/napi-v6/${system}/${chip}/runtime.node`);
  }
  put('onnxruntime-web/dist/big.wasm');
  put('@lancedb/lancedb/package.json', '{}');
  put('@lancedb/lancedb/node_modules/@huggingface/transformers/package.json', '{}');
  put('@lancedb/lancedb-here/package.json', JSON.stringify({ os: [process.platform], cpu: [process.arch] }));
  put('@lancedb/lancedb-there/package.json', JSON.stringify({ os: [otherSystem], cpu: ['arm64'] }));
  cpSync(join(root, 'scripts/prune-native.mjs'), join(folder, 'scripts/prune-native.mjs'));
  writeFileSync(join(folder, 'package.json'), '{}');
  if (isCheckout) writeFileSync(join(folder, 'package-lock.json'), '{}');
  const prune = () => execFileSync(process.execPath, [join(folder, 'scripts/prune-native.mjs')], { encoding: 'utf8' });
  return { folder, modules, put, prune, has: (path: string) => existsSync(join(modules, path)) };
}

describe('pruning after an install', () => {
  it('keeps the runtime of this system and removes those of others', () => {
    for (const isCheckout of [true, false]) {
      const { prune, has } = installed(isCheckout);
      prune();
      expect(has(`onnxruntime-node/bin/napi-v6/${process.platform}/${process.arch}/runtime.node`)).toBe(true);
      expect(has(`onnxruntime-node/bin/napi-v6/${process.platform}/${otherChip}`)).toBe(false);
      expect(has(`onnxruntime-node/bin/napi-v6/${otherSystem}`)).toBe(false);
    }
  });

  it('of an installed package removes what overrides keep out of a checkout, and packages for other systems', () => {
    const { prune, has } = installed(false);
    prune();
    expect(has('onnxruntime-web')).toBe(false);
    expect(has('@lancedb/lancedb/node_modules/@huggingface')).toBe(false);
    expect(has('@lancedb/lancedb-there')).toBe(false);
    expect(has('@lancedb/lancedb-here')).toBe(true);
    expect(has('@lancedb/lancedb/package.json')).toBe(true);
  });

  it('of a checkout touches nothing else', () => {
    const { prune, has } = installed(true);
    prune();
    expect(has('onnxruntime-web/dist/big.wasm')).toBe(true);
    expect(has('@lancedb/lancedb-there')).toBe(true);
  });

  it('follows no link, looks into no neighbour, and fails no install', () => {
    const { folder, prune, put, has } = installed(false);
    const elsewhere = join(folder, '..', 'onnxruntime-node', 'bin', 'napi-v6', otherSystem, 'arm64');
    mkdirSync(elsewhere, { recursive: true });
    put('linked/keep.txt');
    symlinkSync(
      join(folder, 'node_modules', 'linked'),
      join(folder, 'node_modules', '@lancedb', 'lancedb', 'node_modules', 'onnxruntime-web'),
    );
    put('@lancedb/broken/package.json', 'no JSON');
    expect(prune()).toBe('');
    expect(existsSync(elsewhere)).toBe(true);
    expect(has('linked/keep.txt')).toBe(true);
  });
});
