import type { FoundMemory } from './memory-client.ts';

/** A memory as a Markdown page to read. */
export function memoryText({ id, title, type, project, content, files, updatedAt }: FoundMemory): string {
  const about = [`#${id}`, type, project, updatedAt.slice(0, 10)]
    .filter((part) => part !== null && part !== '')
    .join(' · ');
  const named = files.length === 0 ? '' : `\n\nFiles: ${files.map((file) => `\`${file}\``).join(', ')}`;
  return `# ${title}\n\n${about}\n\n${content}${named}\n`;
}

/** What the status bar says, and what it says on hover. */
export function statusText(health: { readonly status: string; readonly why: string | null } | null): {
  readonly text: string;
  readonly tooltip: string;
} {
  if (health === null) return { text: '$(circle-slash) Loci', tooltip: 'No daemon answers: run `loci start`.' };
  if (health.status === 'ok') return { text: '$(home) Loci', tooltip: 'Memory works. Click to search it.' };
  return { text: '$(warning) Loci', tooltip: health.why ?? 'Memory works in part: run `loci doctor`.' };
}
