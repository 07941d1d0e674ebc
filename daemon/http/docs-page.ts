// GET /docs: every operation with its routes and fields, rendered from the registry. Plain HTML from this process alone.
import { inputSchemaOf, type JsonSchema, typesOf } from '#daemon/kernel/input-schema.ts';
import type { Contract } from '#shared/contract/operation.ts';
import { escapeHtml, htmlPage } from './page.ts';

export function docsPage(contracts: readonly Contract[], version: string): Response {
  const sections = [...groupByCategory(contracts)].map(
    ([category, members]) => `<h2>${escapeHtml(category)}</h2>\n${members.map(operationHtml).join('\n')}`,
  );
  return htmlPage(
    'Loci API',
    `<h1>Loci API ${escapeHtml(version)}</h1>
<p>Every operation also answers <code>POST /operations/&lt;name&gt;</code> with the same fields as a JSON object. Over TCP send
<code>Authorization: Bearer &lt;token&gt;</code>; the Unix socket needs none. A machine-readable description is at
<code>/openapi.json</code>.</p>
${sections.join('\n')}`,
  );
}

function groupByCategory(contracts: readonly Contract[]): Map<string, Contract[]> {
  const groups = new Map<string, Contract[]>();
  for (const contract of contracts) groups.set(contract.category, [...(groups.get(contract.category) ?? []), contract]);
  return groups;
}

function operationHtml(contract: Contract): string {
  const routes = (contract.http ?? []).map((route) => {
    const when = Object.entries(route.when ?? {}).map(([name, value]) => `${name}=${value}`);
    return `<code>${escapeHtml(`${route.method} ${route.path}${when.length > 0 ? `?${when.join('&')}` : ''}`)}</code>`;
  });
  const schema = inputSchemaOf(contract.input);
  const required = new Set(schema.required);
  const rows = Object.entries(schema.properties ?? {}).map(([name, field]) =>
    fieldHtml(name, field, required.has(name)),
  );
  return `<h3 id="${escapeHtml(contract.name)}">${escapeHtml(contract.name)}</h3>
<p>${routes.join(' · ')}</p><p>${escapeHtml(contract.description)}</p>
${rows.length > 0 ? `<table><tr><th>field</th><th>type</th><th></th></tr>\n${rows.join('\n')}</table>` : '<p>No fields.</p>'}`;
}

function fieldHtml(name: string, field: JsonSchema, isRequired: boolean): string {
  const notes = [
    isRequired ? 'required' : null,
    field.enum === undefined ? null : `one of ${field.enum.join(', ')}`,
    range(field),
    field.maxLength === undefined ? null : `at most ${field.maxLength} characters`,
    field.maxItems === undefined ? null : `at most ${field.maxItems} members`,
    field.default === undefined ? null : `default ${JSON.stringify(field.default)}`,
    field.description ?? null,
  ].filter((note) => note !== null);
  const type = typesOf(field).join(' or ') || 'any';
  return `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(type)}</td><td>${escapeHtml(notes.join('; '))}</td></tr>`;
}

function range(field: JsonSchema): string | null {
  const { minimum, maximum } = field;
  if (minimum === undefined && maximum === undefined) return null;
  if (maximum === undefined || maximum === Number.MAX_SAFE_INTEGER) return `${minimum} or more`;
  return minimum === undefined ? `at most ${maximum}` : `${minimum} to ${maximum}`;
}
