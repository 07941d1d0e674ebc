// What the extension asks of the daemon, without a word of VS Code in it.
import { basename } from 'node:path';
import type { Connection } from '#clients/connect/connection.ts';
import type { PlacedText } from './placed-text.ts';

export type FoundMemory = {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly project: string | null;
  readonly content: string;
  readonly files: readonly string[];
  readonly updatedAt: string;
  readonly score: number;
};

export type MemoryClient = {
  search(query: string): Promise<FoundMemory[]>;
  /** Memories that name the file; `path` is below its workspace folder. */
  aboutFile(path: string): Promise<FoundMemory[]>;
  get(id: number): Promise<FoundMemory>;
  /** Answers a sentence about what became of it. */
  save(text: PlacedText, why: string): Promise<string>;
  health(): Promise<{ readonly status: string; readonly why: string | null }>;
};

type Answer = Readonly<Record<string, unknown>>;

/** `connection` is asked for anew at each call, since the folder that the user works in changes. */
export function createMemoryClient(connection: () => Connection): MemoryClient {
  const call = async (operation: string, input: Answer): Promise<Answer> =>
    (await connection().call(operation, input, { deadlineMs: 30_000 })) as Answer;
  const find = async (input: Answer): Promise<FoundMemory[]> =>
    ((await call('memory_search', { depth: 2, ...input })).results as Answer[]).map(toFound);

  return {
    search: (query) => find({ query, limit: 20 }),
    async aboutFile(path) {
      const found = await find({ query: `${path} ${basename(path)}`, mode: 'keyword', limit: 50 });
      return found.filter((memory) => isAbout(memory, path));
    },
    get: async (id) => toFound(await call('memory_get', { id })),
    async save({ text, path, lines, language }, why) {
      const { id, outcome } = await call('memory_save', {
        content: why === '' ? text : `${why}\n\n${text}`,
        ...(path === null ? {} : { files: [path], context: `Selected in ${path}, ${lines}.` }),
        tags: [language],
        provenance: 'human',
        on_duplicate: 'keep',
      });
      return `${outcome === 'unchanged' ? 'It was remembered already' : 'Saved'} as #${id}.`;
    },
    async health() {
      const { status, ...parts } = await call('memory_health', {});
      const unwell = Object.values(parts).find((part) => typeof (part as Answer | null)?.why === 'string');
      return { status: String(status), why: unwell === undefined ? null : String((unwell as Answer).why) };
    },
  };
}

/** It names the path, or its text names the file. */
function isAbout({ files, content }: FoundMemory, path: string): boolean {
  const name = basename(path);
  return (
    files.some((file) => file === path || file.endsWith(`/${path}`) || path.endsWith(`/${file}`)) ||
    content.includes(name)
  );
}

function toFound(answer: Answer): FoundMemory {
  const { id, title, type, project, content, summary, files, updated_at, score } = answer;
  return {
    id: Number(id),
    title: String(title),
    type: String(type),
    project: typeof project === 'string' ? project : null,
    content: String(content ?? summary ?? ''),
    files: Array.isArray(files) ? files.map(String) : [],
    updatedAt: String(updated_at ?? ''),
    score: Number(score ?? 0),
  };
}
