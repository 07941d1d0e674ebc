/** As SQL `fold_case(text)`: SQLite's own `lower` knows the letters of ASCII alone. */
export function foldCase(text: unknown): string {
  return String(text).normalize('NFKC').toLowerCase();
}
