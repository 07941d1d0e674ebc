// The sources as the architecture tests see them: files, what each imports, and the room each belongs to.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export type Import = {
  /** As written: `./x.ts`, `#shared/errors.ts`, `zod`, `node:fs`. */
  readonly specifier: string;
  /** Path below the root for a file of ours, else null. */
  readonly file: string | null;
};

export type SourceFile = {
  /** Below the root, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  readonly imports: readonly Import[];
  readonly room: string;
};

const folders = ['shared', 'daemon', 'clients', 'benchmarks', 'scripts'];
/** Projects of their own, with their own tools. */
const elsewhere = ['clients/editors'];

export function readSources(): SourceFile[] {
  const present = folders.map((folder) => join(root, folder)).filter((folder) => existsSync(folder));
  return present.flatMap(filesBelow).map(readSource);
}

function readSource(absolute: string): SourceFile {
  const path = relative(root, absolute).split(sep).join('/');
  const text = readFileSync(absolute, 'utf8');
  const imports = specifiersOf(text).map((specifier) => ({ specifier, file: fileOf(specifier, path) }));
  return { path, text, lines: text.split('\n').length - 1, imports, room: roomOf(path) };
}

/** `daemon/kernel`, `clients/cli`; files straight below `daemon` or `clients` belong to `daemon` or `clients`. */
export function roomOf(path: string): string {
  const [top = '', second = '', third] = path.split('/');
  return (top === 'daemon' || top === 'clients') && third !== undefined ? `${top}/${second}` : top;
}

/** Comments that show an import are no imports. */
function specifiersOf(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  const patterns = [
    /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]/gm,
    /^\s*import\s*['"]([^'"]+)['"]/gm,
    /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g,
  ];
  return patterns.flatMap((pattern) => Array.from(code.matchAll(pattern), (match) => match[1] ?? ''));
}

function fileOf(specifier: string, importer: string): string | null {
  if (specifier.startsWith('#')) return specifier.slice(1);
  return specifier.startsWith('.') ? posix.join(dirname(importer), specifier) : null;
}

function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    const below = relative(root, path).split(sep).join('/');
    if (entry.isDirectory()) return elsewhere.includes(below) ? [] : filesBelow(path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}
