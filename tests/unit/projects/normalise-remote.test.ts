import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normaliseRemote } from '#daemon/projects/normalise-remote.ts';

describe('normaliseRemote', () => {
  it.each([
    ['git@github.com:acme/shop.git', 'github.com/acme/shop'],
    ['https://github.com/acme/shop', 'github.com/acme/shop'],
    ['https://github.com/acme/shop/', 'github.com/acme/shop'],
    ['https://GitHub.com/Acme/Shop.git', 'github.com/Acme/Shop'],
    ['http://www.github.com:80/acme/shop.git', 'github.com/acme/shop'],
    ['ssh://git@github.com:22/acme/shop.git', 'github.com/acme/shop'],
    ['ssh://git@ssh.github.com:443/acme/shop.git', 'github.com/acme/shop'],
    ['git+ssh://git@gitlab.example.org/group/sub/shop.git', 'gitlab.example.org/group/sub/shop'],
    ['git://example.org/shop.git', 'example.org/shop'],
    ['forge:acme/shop', 'forge/acme/shop'],
    ['git@[::1]:acme/shop.git', '[::1]/acme/shop'],
    ['ssh://git@[fe80::1]:2222/acme/shop', '[fe80::1]/acme/shop'],
    ['git@example.org:/srv/git/shop.git', 'example.org/srv/git/shop'],
    ['https://dev.azure.com/acme/Web%20Shop/_git/shop', 'dev.azure.com/acme/Web Shop/shop'],
    ['git@ssh.dev.azure.com:v3/acme/Web%20Shop/shop', 'dev.azure.com/acme/Web Shop/shop'],
    ['https://example.org/acme/shop.git?depth=1#main', 'example.org/acme/shop'],
    ['https://example.org//acme//shop//', 'example.org/acme/shop'],
  ])('%s is %s', (url, name) => {
    expect(normaliseRemote(url)).toBe(name);
  });

  it.each([
    '/srv/git/shop.git',
    '../shop',
    './a:b/shop',
    'file:///srv/git/shop.git',
    'C:\\code\\shop',
    'C:/code/shop',
    'ext::sh -c whoami',
    'https://github.com',
    'https://github.com/',
    'https://github.com/.git',
    'https://example.org/../shop',
    'https://:secret@/acme/shop',
    '',
    ':',
    '://',
  ])('%s names no repository on a host', (url) => {
    expect(normaliseRemote(url)).toBeNull();
  });

  it('a user, password or token never becomes part of the name', () => {
    const password = 'p4ss';
    for (const url of [
      `https://me:${password}@example.org/acme/shop.git`,
      `https://me:${password}@more@example.org/acme/shop.git`,
      `https://me:${password}/x@example.org/acme/shop.git`,
      `https://${password}/rest@example.org/acme/shop`,
      `https://example.org/acme/shop.git?access_token=${password}`,
    ]) {
      expect(normaliseRemote(url) ?? '').not.toContain(password);
    }
  });

  it('every spelling of one repository gives one name', () => {
    const word = fc.stringMatching(/^[a-z][a-z0-9_-]{0,10}[a-z0-9]$/);
    const host = fc.tuple(word, word).map(([name, domain]) => `${name}.${domain}`);
    fc.assert(
      fc.property(host, word, word, fc.integer({ min: 1, max: 65_535 }), (at, owner, repo, port) => {
        const spellings = [
          `git@${at}:${owner}/${repo}.git`,
          `${at}:${owner}/${repo}`,
          `https://${at.toUpperCase()}/${owner}/${repo}`,
          `https://user:pass@${at}:${port}/${owner}/${repo}.git/`,
          `ssh://git@${at}:${port}/${owner}/${repo}.git`,
          `git://${at}/${owner}/${repo}`,
        ];
        expect(new Set(spellings.map(normaliseRemote)).size).toBe(1);
      }),
    );
  });

  it('never throws, whatever a configuration holds', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl()), (url) => {
        const name = normaliseRemote(url);
        expect(name === null || (name.includes('/') && !name.startsWith('/'))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
