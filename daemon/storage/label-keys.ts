// Tags and types are compared without case, in every script. SQLite's own `lower` knows ASCII alone, so the folded form is stored
// beside the given one.

/** A label in NFKC, trimmed and lower case. */
export function foldLabel(label: string): string {
  return label.normalize('NFKC').trim().toLowerCase();
}

/** JSON text of the folded labels, in their order. */
export function labelKeys(labels: readonly string[]): string {
  return JSON.stringify(labels.map(foldLabel));
}
