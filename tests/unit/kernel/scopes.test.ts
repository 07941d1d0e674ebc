import { describe, expect, it } from 'vitest';
import { isAllowed, narrowScopes, readScopes, unknownScopes } from '#daemon/kernel/scopes.ts';
import type { Scope } from '#shared/contract/operation.ts';

describe('scopes', () => {
  it.each<[string[], Scope, boolean]>([
    [['*'], 'admin', true],
    [['*'], 'write:memories', true],
    [['admin'], 'admin', true],
    [['admin'], 'read:memories', false],
    [['read'], 'read:plans', true],
    [['read'], 'write:plans', false],
    [['write'], 'write:memories', true],
    [['write'], 'read:memories', false],
    [['read', 'write'], 'admin', false],
    [['read:memories'], 'read:memories', true],
    [['read:memories'], 'read:projects', false],
    [['readonly', 'read:', 'reads'], 'read:memories', false],
    [[], 'read:memories', false],
  ])('%j may do %s: %s', (granted, needed, allowed) => {
    expect(isAllowed(granted, needed)).toBe(allowed);
  });
});

describe('words of scopes', () => {
  it('are separated by spaces or commas, in any case, and what is unknown grants nothing', () => {
    expect(readScopes(' Read, write:memories  read ,readonly write:everything')).toEqual(['read', 'write:memories']);
    expect(unknownScopes('read readonly,write:everything')).toEqual(['readonly', 'write:everything']);
    expect(readScopes('nonsense')).toEqual([]);
  });

  it.each([
    [['*'], ['read'], ['read']],
    [['read'], ['*'], ['read']],
    [
      ['read', 'write:plans'],
      ['read:memories', 'write'],
      ['read:memories', 'write:plans'],
    ],
    [['read'], ['write'], []],
    [['admin'], ['read', 'write'], []],
    [[], ['*'], []],
  ])('%j within %j is %j', (granted, ceiling, both) => {
    expect(narrowScopes(granted, ceiling)).toEqual(both);
  });
});
