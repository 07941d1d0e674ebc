// The page of the search panel. What memories hold goes in as text, never as HTML, and the policy of the page runs only the script that
// bears its nonce: a memory is data that anybody may have written.

export type PageMessage =
  | { readonly kind: 'search'; readonly query: string }
  | { readonly kind: 'open'; readonly id: number };

/** A message of the page, or null for anything else. */
export function readPageMessage(message: unknown): PageMessage | null {
  if (typeof message !== 'object' || message === null) return null;
  const { kind, query, id } = message as Readonly<Record<string, unknown>>;
  if (kind === 'search' && typeof query === 'string' && query.trim() !== '')
    return { kind, query: query.trim().slice(0, 10_000) };
  return kind === 'open' && typeof id === 'number' && Number.isSafeInteger(id) ? { kind, id } : null;
}

/** The whole page; `nonce` is of letters and digits. */
export function searchPage(nonce: string, cspSource: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${cspSource} 'nonce-${nonce}'; script-src 'nonce-${nonce}'">
<style nonce="${nonce}">
  body { padding: 8px; color: var(--vscode-foreground); font-family: var(--vscode-font-family); }
  input { width: 100%; box-sizing: border-box; padding: 4px 6px; color: var(--vscode-input-foreground);
    background: var(--vscode-input-background); border: 1px solid var(--vscode-input-border, transparent); }
  ul { list-style: none; margin: 8px 0; padding: 0; }
  button { display: block; width: 100%; text-align: left; padding: 6px; border: 0; background: none; color: inherit; font: inherit; cursor: pointer; }
  button:hover, button:focus-visible { background: var(--vscode-list-hoverBackground); }
  small { color: var(--vscode-descriptionForeground); display: block; }
</style>
</head>
<body>
<form role="search"><input type="search" aria-label="Search memories" placeholder="What do you want to know?"></form>
<p role="status"></p>
<ul></ul>
<script nonce="${nonce}">
const host = acquireVsCodeApi();
const [form, field, status, list] = ['form', 'input', 'p', 'ul'].map((name) => document.querySelector(name));
form.addEventListener('submit', (event) => {
  event.preventDefault();
  status.textContent = 'Searching…';
  host.postMessage({ kind: 'search', query: field.value });
});
window.addEventListener('message', ({ data }) => {
  list.replaceChildren();
  status.textContent = data.problem ?? (data.memories.length === 0 ? 'Nothing was found.' : '');
  for (const memory of data.memories ?? []) {
    const button = document.createElement('button');
    button.append(memory.title);
    const about = document.createElement('small');
    about.textContent = [memory.type, memory.project, memory.updatedAt.slice(0, 10)].filter(Boolean).join(' · ');
    button.append(about);
    button.addEventListener('click', () => host.postMessage({ kind: 'open', id: memory.id }));
    const item = document.createElement('li');
    item.append(button);
    list.append(item);
  }
});
</script>
</body>
</html>`;
}
