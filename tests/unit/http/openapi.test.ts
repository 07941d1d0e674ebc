import { describe, expect, it } from 'vitest';
import { docsPage } from '#daemon/http/docs-page.ts';
import { createOpenApi } from '#daemon/http/openapi.ts';
import { escapeHtml } from '#daemon/http/page.ts';
import { contracts } from '#shared/contract/index.ts';
import { noteOperations } from '../../support/note-operations.ts';

type Operation = {
  operationId: string;
  parameters?: { name: string; in: string; required: boolean; schema: Record<string, unknown>; explode?: boolean }[];
  requestBody?: { content: { 'application/json': { schema: Record<string, unknown> } } };
  responses: Record<string, unknown>;
  security?: unknown[];
};

type Document = {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown> };
  security: unknown[];
};

const document = createOpenApi(contracts, '1.2.3') as Document;
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);

describe('OpenAPI', () => {
  it('describes every route of every contract, and every operation by name', () => {
    for (const { name, http } of contracts) {
      expect(document.paths).toHaveProperty([`/operations/${name}`, 'post']);
      for (const { method, path } of http ?? []) {
        expect(document.paths).toHaveProperty([path.replace(/:(\w+)/g, '{$1}'), method.toLowerCase()]);
      }
    }
  });

  it('every operation has an id of its own, a problem response and its path parameters', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { path, operation } of operations) {
      expect(Object.keys(operation.responses).length).toBeGreaterThan(0);
      const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
      const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      expect(inPath.map(({ name }) => name)).toEqual(named);
      for (const parameter of inPath) expect(parameter.required).toBe(true);
      const names = (operation.parameters ?? []).map((parameter) => `${parameter.in} ${parameter.name}`);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  it('every reference leads somewhere', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => String(match[1]));
    expect(references.length).toBeGreaterThan(50);
    for (const reference of references) expect(document).toHaveProperty(reference.split('/'));
  });

  it('asks for the token everywhere but on /health', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.security).toEqual([{ token: [] }]);
    const open = operations.filter(({ operation }) => operation.security !== undefined).map(({ path }) => path);
    expect(open).toEqual(['/health']);
  });

  it('bounds, defaults and aliases stand where a client looks for them', () => {
    const search = document.paths['/memories/search']?.get;
    const byName = new Map(search?.parameters?.map((parameter) => [parameter.name, parameter]));
    expect(byName.get('limit')).toMatchObject({
      in: 'query',
      required: false,
      schema: { minimum: 1, maximum: 50, default: 5 },
    });
    expect(byName.get('q')).toMatchObject({ in: 'query', required: true });
    expect(byName.has('query')).toBe(false);
  });

  it('a path parameter is no part of the body, and a deleting route names the parameter that erases', () => {
    const patch = document.paths['/memories/{id}']?.patch?.requestBody?.content['application/json'].schema;
    expect(patch).toMatchObject({ type: 'object', additionalProperties: false });
    expect(patch?.properties).not.toHaveProperty('id');
    const remove = document.paths['/memories/{id}']?.delete;
    expect(remove?.parameters?.map(({ name }) => name)).toEqual(expect.arrayContaining(['id', 'reason', 'purge']));
  });

  it('a csv parameter is described as one', () => {
    const notes = createOpenApi(
      noteOperations([]).map(({ contract }) => contract),
      '1',
    ) as Document;
    const parameter = notes.paths['/notes/search']?.get?.parameters?.find(({ name }) => name === 'project_ids');
    expect(parameter).toMatchObject({ explode: false, schema: { type: 'array' } });
  });
});

describe('the page of documentation', () => {
  it('lists every operation with its routes and fields, from this host alone', async () => {
    const page = docsPage(contracts, '1.2.3');
    const html = await page.text();
    for (const { name, http } of contracts) {
      expect(html).toContain(`<h3 id="${name}">${name}</h3>`);
      for (const { path } of http ?? []) expect(html).toContain(path);
    }
    expect(html).toContain('1 to 50');
    expect(html).not.toMatch(/<script|https?:\/\/|<link|<img/);
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe');
  });

  it('nothing of a text is read as markup', () => {
    expect(escapeHtml(`<b class="x">'&'</b>`)).toBe('&#60;b class=&#34;x&#34;&#62;&#39;&#38;&#39;&#60;/b&#62;');
  });
});
