// Runs before `npm pack`: writes npm-shrinkwrap.json, the tested tree of the production packages, from package-lock.json. In a package that
// is installed npm honours neither `overrides` nor the lock, so a registry install would fetch a second transformers.js and 141 MB of
// onnxruntime-web. It is not committed, because in a checkout it would stand beside the lock and could disagree with it.
// `node scripts/shrinkwrap.mjs --remove` takes it away after the pack.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const file = `${root}/npm-shrinkwrap.json`;

if (process.argv.includes('--remove')) rmSync(file, { force: true });
else writeFileSync(file, `${JSON.stringify(shrinkwrap(), null, 2)}\n`);

function shrinkwrap() {
  const { name, version, license, dependencies, bin, engines } = read('package.json');
  const { packages } = read('package-lock.json');
  const kept = Object.entries(packages).filter(
    ([path, entry]) => path !== '' && entry.dev !== true && isWanted(path, entry),
  );
  return {
    name,
    version,
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name, version, license, dependencies, bin, engines, hasInstallScript: true },
      ...Object.fromEntries(kept),
      'node_modules/onnxruntime-web': { resolved: 'vendor/empty', link: true },
      'vendor/empty': read('vendor/empty/package.json'),
    },
  };
}

/** npm installs every system's packages of a shrinkwrap, so those of systems that Loci does not run on are left out. */
function isWanted(path, { os }) {
  if (path.includes('vendor/empty') || path === 'node_modules/onnxruntime-web') return false;
  return os === undefined || os.some((one) => one === 'linux' || one === 'darwin');
}

function read(path) {
  return JSON.parse(readFileSync(`${root}/${path}`, 'utf8'));
}
