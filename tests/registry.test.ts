// What every contract must hold, whoever declares it: the adapters are loops over them and rely on it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { contracts } from '#shared/contract/index.ts';
import type { Contract } from '#shared/contract/operation.ts';
import { operationsPage } from '../scripts/operations-page.ts';
import { root } from './support/source-tree.ts';

type JsonSchema = {
  readonly type?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly additionalProperties?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
};

describe('every contract', () => {
  it('has a name of its own in lower snake case', () => {
    const names = contracts.map((contract) => contract.name);
    expect(duplicates(names)).toEqual([]);
    expect(names.filter((name) => !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name))).toEqual([]);
  });

  it('has routes that no other contract has', () => {
    const routes = contracts.flatMap((contract) =>
      (contract.http ?? []).map(
        ({ method, path, when }) => `${method} ${path.replace(/:\w+/g, ':x')} ${JSON.stringify(when ?? {})}`,
      ),
    );
    expect(duplicates(routes)).toEqual([]);
  });

  it('names only fields of its input in paths, aliases, positions and flags', () => {
    const found = offences(({ http = [], cli, input }) => {
      const fields = new Set(Object.keys(input.shape));
      const named = [
        ...http.flatMap(({ path }) => Array.from(path.matchAll(/:(\w+)/g), (match) => match[1] ?? '')),
        ...http.flatMap(({ aliases, csv }) => [...Object.values(aliases ?? {}), ...(csv ?? [])]),
        ...(cli?.positional ?? []).map((name) => name.replace(/\.\.\.$/, '')),
        ...Object.values(cli?.flags ?? {}),
      ];
      return named.filter((name) => !fields.has(name));
    });
    expect(found).toEqual([]);
  });

  it('has a command and an alias that no other contract has', () => {
    const commands = contracts.flatMap(({ cli }) =>
      cli === undefined ? [] : [cli.command, ...(cli.alias ? [cli.alias] : [])],
    );
    expect(duplicates(commands)).toEqual([]);
  });

  it('has a title of at most four words and a description of at most eighty that ends as a sentence', () => {
    const found = offences(({ title, description }) => [
      ...(words(title) > 4 ? [`title of ${words(title)} words`] : []),
      ...(words(description) > 80 ? [`description of ${words(description)} words`] : []),
      ...(/^\p{Lu}.*[.]$/su.test(description) ? [] : ['description is no sentence']),
    ]);
    expect(found).toEqual([]);
  });

  it('has hints and a scope that agree: what only reads is no change, is idempotent and needs no right to write', () => {
    const found = offences(({ hints, scope, http = [] }) => [
      ...(Object.keys(hints).sort().join() === 'destructive,idempotent,readOnly' ? [] : ['hints are incomplete']),
      ...(hints.readOnly && (hints.destructive || !hints.idempotent) ? ['hints contradict each other'] : []),
      ...(hints.readOnly === scope.startsWith('write:') ? ['scope and hints contradict each other'] : []),
      ...(http.some(({ method }) => method === 'GET') && !hints.readOnly ? ['a GET that changes'] : []),
    ]);
    // `admin` covers both, so it is neither
    expect(found.filter((line) => !isAdmin(line))).toEqual([]);
  });

  it('asks before its command erases', () => {
    const found = offences(({ hints, cli, name }) =>
      // the four verbs of `loci fact` are written by hand; forget asks there
      hints.destructive && cli !== undefined && cli.confirm === undefined && name !== 'memory' ? ['no confirm'] : [],
    );
    expect(found).toEqual([]);
  });

  it('takes a strict object with a bound on every number and every list', () => {
    const found = offences((contract) => unbounded(inputOf(contract), contract.name));
    expect(found).toEqual([]);
  });
});

describe('what follows from the contracts', () => {
  it('every operation has a case in the table of the contract', () => {
    const folder = join(root, 'tests/contract');
    const tables = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    const missing = contracts.filter(
      ({ name }) => !tables.some((table) => new RegExp(`operation: '${name}'`).test(table)),
    );
    expect(missing.map(({ name }) => name)).toEqual([]);
  });
});

describe('generated pages', () => {
  it('docs/operations.md is fresh: run `npm run docs` after a change of a contract', () => {
    const file = join(root, 'docs/operations.md');
    expect(existsSync(file) ? readFileSync(file, 'utf8') : '').toBe(operationsPage());
  });

  it('docs/operations.md has a section for every operation', () => {
    const page = operationsPage();
    expect(contracts.filter(({ name }) => !page.includes(`### ${name}\n`)).map(({ name }) => name)).toEqual([]);
  });
});

function inputOf(contract: Contract): JsonSchema {
  return z.toJSONSchema(contract.input, { io: 'input' }) as JsonSchema;
}

/** `memory.confidence` alone is clamped instead of refused. */
const clamped = ['memory.confidence'];

function unbounded(schema: JsonSchema, path: string): string[] {
  const isNumber = schema.type === 'number' || schema.type === 'integer';
  const hasMinimum = schema.minimum !== undefined || schema.exclusiveMinimum !== undefined;
  const isOpen = schema.properties !== undefined && schema.additionalProperties !== false;
  return [
    ...(isNumber && !clamped.includes(path) && !(hasMinimum && schema.maximum !== undefined)
      ? [`${path} has no bounds`]
      : []),
    ...(schema.type === 'array' && schema.maxItems === undefined ? [`${path} has no greatest length`] : []),
    ...(isOpen ? [`${path} takes unknown fields`] : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, member]) => unbounded(member, `${path}.${name}`)),
    ...(schema.items === undefined ? [] : unbounded(schema.items, `${path}[]`)),
    ...(schema.anyOf ?? []).flatMap((option) => unbounded(option, path)),
  ];
}

function offences(find: (contract: Contract) => readonly string[]): string[] {
  return contracts.flatMap((contract) => find(contract).map((what) => `${contract.name}: ${what}`));
}

function duplicates(values: readonly string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}

function words(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}

function isAdmin(line: string): boolean {
  return contracts.some(
    ({ name, scope }) => scope === 'admin' && line === `${name}: scope and hints contradict each other`,
  );
}
