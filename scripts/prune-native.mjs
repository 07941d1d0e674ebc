// Deletes what this machine can never load: 240 MB of onnxruntime-node for other platforms and, in a global install, where npm honours no
// `overrides`, what they keep out of a checkout: onnxruntime-web (transformers.js has what Node needs of it in itself), the second
// transformers.js with its own runtime below LanceDB (optional there, and never asked for), and native packages for other systems, which
// npm installs all of when a shrinkwrap names them. Runs after an install, looks into our own `node_modules` alone, and never fails it.
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const own = join(root, 'node_modules');
const libc = process.report?.getReport?.().header?.glibcVersionRuntime === undefined ? 'musl' : 'glibc';

try {
  pruneRuntime(join(own, 'onnxruntime-node'));
  if (isGlobal()) {
    removeFolder(join(own, 'onnxruntime-web'));
    removeFolder(join(own, '@lancedb', 'lancedb', 'node_modules', '@huggingface'));
    removeFolder(join(own, '@lancedb', 'lancedb', 'node_modules', 'onnxruntime-node'));
    removeFolder(join(own, '@lancedb', 'lancedb', 'node_modules', 'onnxruntime-web'));
    for (const scope of ['@lancedb', '@img'])
      for (const name of namesIn(join(own, scope))) pruneForeign(join(own, scope, name));
  }
} catch {
  // a folder that cannot be read or removed costs space, and nothing else
}

/** Installed as a package, globally or in a prefix of its own, and not as a checkout. */
function isGlobal() {
  return !existsSync(join(root, 'package-lock.json')) && existsSync(own);
}

function pruneRuntime(folder) {
  const bin = join(folder, 'bin');
  for (const abi of namesIn(bin)) {
    for (const platform of namesIn(join(bin, abi))) {
      const built = join(bin, abi, platform);
      if (platform !== process.platform) rmSync(built, { recursive: true, force: true });
      else
        for (const arch of namesIn(built))
          if (arch !== process.arch) rmSync(join(built, arch), { recursive: true, force: true });
    }
  }
}

/** A package says itself which systems it is for. */
function pruneForeign(folder) {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return;
  const { os, cpu, libc: c } = JSON.parse(readFileSync(file, 'utf8'));
  const fits =
    isAmong(os, process.platform) && isAmong(cpu, process.arch) && (process.platform !== 'linux' || isAmong(c, libc));
  if (!fits) removeFolder(folder);
}

function isAmong(names, name) {
  return names === undefined || [names].flat().includes(name);
}

/** A link leads to somebody else's folder. */
function removeFolder(folder) {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) rmSync(folder, { recursive: true, force: true });
}

function namesIn(folder) {
  return existsSync(folder) ? readdirSync(folder) : [];
}
