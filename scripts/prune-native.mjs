// Deletes what onnxruntime-node ships for other platforms: 240 MB that this machine can never load.
// Runs after `npm ci`; touches nothing but that one package's `bin` folder, and never fails an install.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const candidates = [join(root, 'node_modules'), join(root, '..')];

for (const nodeModules of candidates) {
  const bin = join(nodeModules, 'onnxruntime-node', 'bin');
  if (!existsSync(bin)) continue;
  for (const abi of readdirSync(bin)) {
    for (const platform of readdirSync(join(bin, abi))) {
      const folder = join(bin, abi, platform);
      if (platform !== process.platform) rmSync(folder, { recursive: true, force: true });
      else
        for (const arch of readdirSync(folder))
          if (arch !== process.arch) rmSync(join(folder, arch), { recursive: true, force: true });
    }
  }
}
