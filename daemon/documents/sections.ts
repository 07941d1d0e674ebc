// A document's headings say what each part of it is about, and a hit deep in a long text is worth little without them. So a document is
// cut at its headings before it is cut into passages: no passage crosses one, and each knows the path of headings above it.

/** A part of a text between two headings; `startAt` and `endAt` are UTF-16 units, the heading's own line is left out. */
export type Section = { readonly startAt: number; readonly endAt: number; readonly headings: readonly string[] };

type Heading = { readonly level: number; readonly title: string; readonly lineAt: number; readonly bodyAt: number };

/** A text of more sections than this is cut at its higher headings alone: each section costs a vector. */
const maxSections = 2_000;
const maxTitleLength = 200;

/** The sections of a Markdown text in order, the one before the first heading first; blank ones are left out, but for that one. */
export function sectionsOf(text: string): Section[] {
  const all = headingsOf(text);
  let headings = all;
  for (let level = 5; headings.length > maxSections && level >= 0; level -= 1) {
    headings = all.filter((heading) => heading.level <= level);
  }
  const path: Heading[] = [];
  const sections: Section[] = [{ startAt: 0, endAt: headings[0]?.lineAt ?? text.length, headings: [] }];
  for (const [index, heading] of headings.entries()) {
    while ((path.at(-1)?.level ?? 0) >= heading.level) path.pop();
    path.push(heading);
    const endAt = headings[index + 1]?.lineAt ?? text.length;
    if (text.slice(heading.bodyAt, endAt).trim() === '') continue;
    sections.push({ startAt: heading.bodyAt, endAt, headings: path.map(({ title }) => title) });
  }
  return sections;
}

/** ATX headings (`## Title`) outside of fenced code, in which `#` begins a comment. */
function headingsOf(text: string): Heading[] {
  const found: Heading[] = [];
  let fence: string | null = null;
  for (let lineAt = 0; lineAt < text.length; ) {
    const newline = text.indexOf('\n', lineAt);
    const bodyAt = newline === -1 ? text.length : newline + 1;
    // no fence and no heading is told from further in; a line may hold megabytes
    const line = text.slice(lineAt, Math.min(bodyAt, lineAt + maxLineLength)).trimEnd();
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === null && mark !== undefined) fence = mark;
    else if (fence !== null && mark?.startsWith(fence) === true && line.trim() === mark) fence = null;
    else if (fence === null) {
      const [, marks, rest = ''] = /^ {0,3}(#{1,6})[ \t]+(.+)$/.exec(line) ?? [];
      const title = titleOf(rest);
      if (marks !== undefined && title !== '') found.push({ level: marks.length, title, lineAt, bodyAt });
    }
    lineAt = bodyAt;
  }
  return found;
}

const maxLineLength = 1_000;

/** Without the closing marks that some write. */
function titleOf(rest: string): string {
  const title = rest
    .trim()
    .replace(/(^|[ \t])#+$/, '')
    .trim();
  return title.length <= maxTitleLength ? title : title.slice(0, maxTitleLength).toWellFormed().trimEnd();
}
