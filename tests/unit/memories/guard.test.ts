import { describe, expect, it } from 'vitest';
import { guardAllows } from '#daemon/memories/duplicates/guard.ts';

const differs: [string, string, string][] = [
  ['a number', 'The API listens on port 8080', 'The API listens on port 8081'],
  ['a number that only one has', 'Retry the upload', 'Retry the upload 3 times'],
  ['a version', 'Use Node 20.11.1 in CI', 'Use Node 20.11.2 in CI'],
  ['a date', 'The freeze starts 2026-03-01', 'The freeze starts 2026-04-01'],
  ['a path', 'Settings live in src/config/app.ts', 'Settings live in src/config/web.ts'],
  ['an identifier in snake case', 'Call load_user first', 'Call load_team first'],
  ['an identifier in camel case', 'Call loadUser first', 'Call loadTeam first'],
  ['a scoped name', 'It throws in std::vector', 'It throws in std::list'],
  ['a quoted string', 'The button says "Save"', 'The button says "Send"'],
  ['a negation', 'Do run migrations on deploy', 'Do not run migrations on deploy'],
  ['a contracted negation', 'The cache can be trusted', "The cache can't be trusted"],
  ['a flag', 'Build with --minify always', 'Build with --watch always'],
  ['an acronym', 'Auth uses SAML here', 'Auth uses OIDC here'],
  ['a negative number', 'The offset is -5', 'The offset is 5'],
];

describe('the guard of a merge', () => {
  it.each(differs)('forbids a merge over %s', (_what, a, b) => {
    expect(guardAllows(a, b)).toBe(false);
    expect(guardAllows(b, a)).toBe(false);
  });

  it('allows the same statement in other words', () => {
    expect(guardAllows('We deploy through Argo on every merge', 'Every merge is deployed through Argo')).toBe(true);
  });

  it('allows the same numbers and names in another order', () => {
    expect(guardAllows('Port 8080 serves the api_gateway', 'The api_gateway is served on port 8080')).toBe(true);
  });

  it('reads 1,000 and 1000 as one number', () => {
    expect(guardAllows('At most 1,000 rows', 'At most 1000 rows')).toBe(true);
  });

  it('is not misled by sentence ends and typographic quotes', () => {
    expect(guardAllows('The key is “alpha”.', 'The key is "alpha"')).toBe(true);
  });
});
