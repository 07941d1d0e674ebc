import { prepared } from '../prepared.ts';
import type { ReaderQuery } from '../reader-query.ts';

const pageRows = 500;

/** The active memory whose content is a text (line ends and the white space around it aside), lowest id first; null where there is none. */
export const contentOwners: ReaderQuery<'contentOwners'> = async (db, { userId, texts }) => {
  const owners = new Map<string, number | null>(texts.map((text) => [plain(text), null]));
  const page = prepared<object, { id: number; content: string }>(
    db,
    `SELECT m.id AS id, m.content AS content FROM memories m
      WHERE m.user_id = :userId AND m.status = 'active' AND m.id > :after ORDER BY m.id LIMIT ${pageRows}`,
  );
  for (let after = 0; ; ) {
    const rows = page.all({ userId, after });
    for (const { id, content } of rows) {
      const text = plain(content);
      if (owners.get(text) === null) owners.set(text, id);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) break;
    after = last.id;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { ids: texts.map((text) => owners.get(plain(text)) ?? null) };
};

function plain(text: string): string {
  return text.replaceAll('\r\n', '\n').trim();
}
