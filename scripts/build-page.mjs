// Bundles the page into dist/web, under the plain names that the daemon serves (daemon/http/page-files.ts). Nothing is inlined:
// its policy forbids scripts and styles within the HTML, and images as data are as good as files of their own.
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));

const names = {
  chunkFileNames: (chunk) => `${chunk.name.replace('graph-canvas', 'graph')}.js`,
  assetFileNames: 'page[extname]',
};

/** Builds once, or at each change with `watch`. */
export function buildPage({ watch = false } = {}) {
  return build({
    configFile: false,
    root: `${root}/clients/web`,
    base: '/',
    publicDir: 'public',
    logLevel: 'warn',
    worker: { format: 'es', rollupOptions: { output: { entryFileNames: 'layout.js' } } },
    build: {
      outDir: `${root}/dist/web`,
      emptyOutDir: !watch,
      target: 'es2022',
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      watch: watch ? {} : null,
      rollupOptions: { checks: { pluginTimings: false }, output: { ...names, entryFileNames: 'page.js' } },
    },
  });
}
