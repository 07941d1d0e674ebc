import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameToKey, ownerName, ownersFilter, rowId, scopeToWhere } from '#daemon/storage/lance/lance-names.ts';
import { scope } from '../../support/vector-store.ts';

describe('what is written into a LanceDB filter', () => {
  it('holds numbers and our own words, whatever a person wrote', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string(), { minLength: 1 }),
        fc.array(fc.string(), { minLength: 1 }),
        (types, statuses) => {
          const where = scopeToWhere(
            scope({ types, statuses, projectIds: [3, 17], exclude: [{ kind: 'memory', id: 5 }] }),
          );
          expect(where).toMatch(
            /^user = 1 AND kind IN \(-?\d+\) AND status IN \([-\d, ]+\) AND type IN \([-\d, ]+\) AND array_has_any\(projects, \[3, 17\]\) AND NOT \(owner IN \('memory:5'\)\)$/,
          );
        },
      ),
    );
  });

  it('is nothing for a scope that admits nothing', () => {
    expect(scopeToWhere(scope({ kinds: [] }))).toBeNull();
    expect(scopeToWhere(scope({ statuses: [] }))).toBeNull();
    expect(scopeToWhere(scope({ types: [] }))).toBeNull();
  });

  it('refuses a kind or an id that is not ours', () => {
    for (const kind of ["memory' OR '1'='1", 'Memory', '', 'a:b']) {
      expect(() => ownersFilter([{ kind, id: 1 }])).toThrow('no index takes');
    }
    expect(() => ownersFilter([{ kind: 'memory', id: 1.5 }])).toThrow('no index takes');
    expect(() => scopeToWhere(scope({ projectIds: [Number.NaN] }))).toThrow('whole numbers');
  });

  it('names a thing and its rows so that the thing can be read back', () => {
    const key = { kind: 'code_artifact', id: 12 };
    expect(nameToKey(ownerName(key))).toEqual(key);
    expect(nameToKey(rowId({ ...key, passage: 3 }))).toEqual(key);
  });
});
