import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProjectResolver } from '#daemon/projects/index.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** A home with a resolver whose cache never answers, unless the clock is asked to stand still. */
function house() {
  const home = tempFolder();
  const clock = createFakeClock();
  const resolver = createProjectResolver({ clock, home });
  const resolve = (folder: string | null) => {
    clock.advance(10_000);
    return resolver.resolve(folder);
  };
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(home, file)), { recursive: true });
    writeFileSync(join(home, file), text);
    return join(home, file);
  };
  const folder = (name: string) => {
    mkdirSync(join(home, name), { recursive: true });
    return join(home, name);
  };
  const repository = (name: string, config = '', head = 'ref: refs/heads/main\n') => {
    write(`${name}/.git/HEAD`, head);
    write(`${name}/.git/config`, config);
    return join(home, name);
  };
  return { home, clock, resolver, resolve, write, folder, repository };
}

const origin = (url: string) => `[core]\n\tbare = false\n[remote "origin"]\n\turl = ${url}\n\tfetch = +refs/*:refs/*\n`;

describe('which project', () => {
  it('the nearest .loci.toml names it, for every folder below', async () => {
    const { write, folder, resolve } = house();
    write('work/.loci.toml', 'project = "outer"\n');
    write('work/shop/.loci.toml', 'project = "storefront"\n');
    expect(await resolve(folder('work/shop/src/deep'))).toEqual({
      name: 'storefront',
      source: 'file',
      branch: null,
      worktree: null,
    });
    expect((await resolve(folder('work/other'))).name).toBe('outer');
  });

  it('B38 home, the file system root, the temporary folder and a folder that is gone are no project', async () => {
    const { home, write, resolve, folder } = house();
    write('.loci.toml', 'project = "stray"');
    write('.git/HEAD', 'ref: refs/heads/main');
    write('.git/config', origin('git@example.org:me/dotfiles.git'));
    const gone = folder('gone');
    rmSync(gone, { recursive: true });
    for (const place of [home, '/', '/tmp', gone, null, '', 'relative/folder', `${home}\0`]) {
      expect(await resolve(place)).toEqual({ name: null, source: null, branch: null, worktree: null });
    }
    expect((await resolve(folder('notes'))).name).toBeNull();
    expect(readdirSync(home).sort()).toEqual(['.git', '.loci.toml', 'notes']);
  });

  it('a repository inside the temporary folder is a project', async () => {
    const { repository, clock } = house();
    const shop = repository('shop', origin('https://example.org/acme/shop.git'));
    const resolver = createProjectResolver({ clock, home: '/', temp: dirname(shop) });
    expect((await resolver.resolve(shop)).name).toBe('example.org/acme/shop');
    expect((await resolver.resolve(dirname(shop))).name).toBeNull();
  });

  it('ssh and https clones of one repository agree, and the branch is told', async () => {
    const { repository, resolve, folder } = house();
    repository('a', origin('git@example.org:acme/shop.git'), 'ref: refs/heads/feature/x\n');
    repository(
      'b',
      origin('"https://me:pw@example.org/acme/shop" ; mine'),
      'd670460b4b4aece5915caf5c68d12f560a9fe3e4\n',
    );
    expect(await resolve(folder('a/src'))).toEqual({
      name: 'example.org/acme/shop',
      source: 'remote',
      branch: 'feature/x',
      worktree: null,
    });
    expect(await resolve(folder('b'))).toMatchObject({ name: 'example.org/acme/shop', branch: null });
  });

  it('a repository without a usable remote is named by its folder', async () => {
    const { repository, resolve } = house();
    for (const config of ['', origin('/srv/git/x.git'), '[remote "origin"\nurl = broken', '\u0000\u0001']) {
      expect(await resolve(repository('lone', config))).toMatchObject({ name: 'lone', source: 'folder' });
    }
  });

  it('origin goes before other remotes, whatever their order', async () => {
    const { repository, resolve } = house();
    const other = '[remote "fork"]\n url = git@example.org:me/shop.git\n';
    const both = repository('both', `${other}${origin('git@example.org:acme/shop.git')}`);
    expect((await resolve(both)).name).toBe('example.org/acme/shop');
    expect((await resolve(repository('fork', other))).name).toBe('example.org/me/shop');
  });

  it('linked worktrees share the project of their repository and have names of their own', async () => {
    const { home, resolve, folder } = house();
    const main = folder('shop');
    const git = (cwd: string, ...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd, stdio: 'pipe' });
    git(main, 'init', '-q', '-b', 'main');
    git(main, 'commit', '-q', '--allow-empty', '-m', 'first');
    git(main, 'worktree', 'add', '-q', '-b', 'fix', join(home, 'elsewhere/shop-fix'));
    const fix = folder('elsewhere/shop-fix/src');
    expect(await resolve(main)).toEqual({ name: 'shop', source: 'folder', branch: 'main', worktree: null });
    expect(await resolve(fix)).toEqual({ name: 'shop', source: 'folder', branch: 'fix', worktree: 'shop-fix' });
    git(main, 'remote', 'add', 'origin', 'ssh://git@example.org:2222/acme/shop.git');
    expect((await resolve(fix)).name).toBe('example.org/acme/shop');
  });

  it('a bare repository beside its worktrees gives the name of the folder they stand in', async () => {
    const { write, folder, resolve } = house();
    write('shop/.bare/HEAD', 'ref: refs/heads/main\n');
    write('shop/.bare/config', '[core]\n\tbare = true\n');
    write('shop/.git', 'gitdir: ./.bare\n');
    write('shop/.bare/worktrees/fix/HEAD', 'ref: refs/heads/fix\n');
    write('shop/.bare/worktrees/fix/commondir', '../..\n');
    write('shop/fix/.git', `gitdir: ${join(folder('shop'), '.bare/worktrees/fix')}\n`);
    expect(await resolve(folder('shop/fix'))).toMatchObject({ name: 'shop', branch: 'fix', worktree: 'fix' });
  });

  it('nothing but the name is taken from a .loci.toml, and a useless one is passed over', async () => {
    const { write, folder, resolve } = house();
    write('work/.loci.toml', '[storage]\ndata = "/srv/evil"\n');
    expect((await resolve(folder('work'))).name).toBeNull();
    write('outer/.loci.toml', 'project = "outer"');
    for (const useless of [
      'project = ',
      'project = 7',
      'project = "  "',
      'project = "a\\nb"',
      `#${'x'.repeat(70_000)}`,
    ]) {
      write('outer/inner/.loci.toml', useless);
      expect((await resolve(folder('outer/inner'))).name).toBe('outer');
    }
    write('quoted/.loci.toml', "project = \"x' OR 'q'='q\"");
    expect((await resolve(folder('quoted'))).name).toBe("x' OR 'q'='q");
  });

  it('links in a circle, a .git that points nowhere or at itself, and a pipe in place of a file do no harm', async () => {
    const { home, write, folder, resolve } = house();
    symlinkSync('b', join(home, 'a'));
    symlinkSync('a', join(home, 'b'));
    expect((await resolve(join(home, 'a'))).name).toBeNull();
    write('nowhere/.git', 'gitdir: /no/such/place\n');
    expect((await resolve(folder('nowhere'))).name).toBeNull();
    write('itself/.git', 'gitdir: .git\n');
    expect((await resolve(folder('itself'))).name).toBeNull();
    execFileSync('mkfifo', [join(folder('piped'), '.loci.toml')]);
    expect(existsSync(join(home, 'piped/.loci.toml'))).toBe(true);
    expect((await resolve(folder('piped'))).name).toBeNull();
  });

  it('a link to a repository is the repository', async () => {
    const { home, repository, resolve } = house();
    symlinkSync(repository('real', origin('git@example.org:acme/shop.git')), join(home, 'link'));
    expect((await resolve(join(home, 'link'))).name).toBe('example.org/acme/shop');
  });

  it('an answer is used again for three seconds, then the files are read again', async () => {
    const { write, resolver, clock, folder } = house();
    write('shop/.loci.toml', 'project = "before"');
    expect((await resolver.resolve(folder('shop'))).name).toBe('before');
    write('shop/.loci.toml', 'project = "after"');
    clock.advance(2_999);
    expect((await resolver.resolve(folder('shop'))).name).toBe('before');
    clock.advance(1);
    expect((await resolver.resolve(folder('shop'))).name).toBe('after');
  });
});
