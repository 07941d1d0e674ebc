/** What is shown of a memory where a person or a model reads it as text. */
export type Shown = {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly project: string | null;
  readonly content: string;
  readonly created_at: string;
  readonly context?: string | null;
  readonly problem?: string | null;
  readonly solution?: string | null;
};

/** A memory as text, each of its own lines quoted, so that nothing in it can pass for what stands around it. */
export function shownMemory({ id, title, type, project, content, created_at, ...more }: Shown): string {
  const parts = [
    content,
    named('Context', more.context),
    named('Problem', more.problem),
    named('Solution', more.solution),
  ];
  const place = project === null ? '' : `, ${oneLine(project)}`;
  return [`#${id} ${oneLine(title)} (${type}${place}, ${created_at.slice(0, 10)})`, ...parts.flatMap(quoted)].join(
    '\n',
  );
}

function named(name: string, text: string | null | undefined): string {
  return text ? `${name}: ${text}` : '';
}

function quoted(text: string): string[] {
  return text === '' ? [] : text.split(/\r\n|[\n\r\u0085\u2028\u2029]/).map((line) => `| ${visible(line)}`);
}

function oneLine(text: string): string {
  return visible(text.replace(/[\n\r\u0085\u2028\u2029]+/g, ' '));
}

/** Control characters as escapes. */
function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, (char) =>
    char === '\t' ? char : `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
