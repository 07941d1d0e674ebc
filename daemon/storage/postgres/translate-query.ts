// Questions of the reader are written once. Here a text for better-sqlite3 becomes one for PostgreSQL: parameters by number, names of
// results as they are written (PostgreSQL folds what is not quoted), and the two spellings that our statements use and it does not know.

export type TranslatedQuery = {
  readonly text: string;
  /** For each `$n` in order: the name of the parameter, or its position among those that have none. */
  readonly parameters: readonly (string | number)[];
};

const parts = /'(?:[^']|'')*'|::|[:@]([A-Za-z]\w*)|\?|\bCROSS JOIN\b|\bchar\(|\b[a-z]+[A-Z]\w*\b/g;

export function translateQuery(sql: string): TranslatedQuery {
  const parameters: (string | number)[] = [];
  let positional = 0;
  const numbered = (parameter: string | number): string => {
    const known = parameters.indexOf(parameter);
    return `$${known === -1 ? parameters.push(parameter) : known + 1}`;
  };
  const text = sql.replace(parts, (part: string, name: string | undefined) => {
    if (name !== undefined) return numbered(name);
    if (part === '?') return numbered(positional++);
    // every one of ours has its condition: for SQLite it says in which order to go, which PostgreSQL decides by itself
    if (part === 'CROSS JOIN') return 'JOIN';
    if (part === 'char(') return 'chr(';
    return /^[a-z]+[A-Z]/.test(part) ? `"${part}"` : part;
  });
  return { text, parameters };
}
