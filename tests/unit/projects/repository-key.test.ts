import { describe, expect, it } from 'vitest';
import { repositoryKey } from '#daemon/projects/repository-key.ts';

describe('K100 the identity of a repository', () => {
  it.each([
    'git@github.com:o/r.git',
    'ssh://git@github.com/o/r',
    'ssh://git@ssh.github.com:443/o/r.git',
    'https://github.com/o/r',
    'https://user:word@github.com/O/R.git/',
    ' github.com/o/r ',
    'www.github.com/o/r',
  ])('%s is one and the same', (address) => {
    expect(repositoryKey(address)).toBe('github.com/o/r');
  });

  it('a bare path meets only its like', () => {
    expect(repositoryKey('o/r')).toBe('o/r');
    expect(repositoryKey('O/R.git')).toBe('o/r');
    expect(repositoryKey('gitlab.com/o/r')).toBe('gitlab.com/o/r');
    expect(repositoryKey('my.repo')).toBe('my.repo');
  });

  it('a blank one has none', () => {
    expect(repositoryKey('  ')).toBeNull();
  });
});
