// Which Markdown files are an agent's own memory. The folder is the agents' convention, `projects/<project>/memory/` below their settings
// folder, or a `memory` below another dot folder; a folder `memory` in somebody's source code is none.

/** True for a `.md` file in a memory folder; the index of such a folder, `MEMORY.md`, says nothing of its own. */
export function isMemoryFile(path: string): boolean {
  const parts = path.replaceAll('\\', '/').split('/');
  const name = parts.at(-1) ?? '';
  if (!/\.md$/i.test(name) || /^memory\.md$/i.test(name) || parts.includes('..')) return false;
  const at = parts.findLastIndex((part, index) => index < parts.length - 1 && /^(?:memory|memories)$/.test(part));
  if (at === -1) return false;
  const isOfProject = parts[at - 2] === 'projects';
  const isBelowDotFolder = parts.slice(0, at).some((part) => /^\.[a-z]/i.test(part) && part !== '.git');
  return isOfProject || isBelowDotFolder;
}
