import { describe, expect, it } from 'vitest';
import { isAllowed } from '#daemon/kernel/scopes.ts';
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
