// What the system says of a path becomes a sentence that names it; what is no error of reading stays what it is.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bytesOf, reading } from '#clients/cli/commands/reading-files.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const failing = (code: string) => () => {
  throw Object.assign(new Error(`${code}: refused, open 'x'`), { code });
};

it('a file that may not be read is told with its path and what to do', () => {
  const told = { code: 'invalid_input', details: { path: 'notes/a.md' } };
  expect(() => reading('notes/a.md', failing('EACCES'))).toThrow(
    expect.objectContaining({
      ...told,
      message: 'notes/a.md cannot be read: this user may not read it: change its permissions, or leave it out.',
    }),
  );
  expect(() => reading('notes/a.md', failing('EMFILE'))).toThrow(
    expect.objectContaining({ ...told, message: expect.stringContaining('the system says EMFILE') }),
  );
  expect(() => reading('a/b', failing('ENOTDIR'))).toThrow(
    expect.objectContaining({ code: 'not_found', message: 'There is no file or folder a/b.' }),
  );
  expect(() => reading('a', failing('ZIP'))).toThrow('ZIP: refused');
});

it('bytes of a folder, and of a link to itself, are none', async () => {
  const folder = tempFolder();
  const loop = join(folder, 'loop');
  symlinkSync(loop, loop);
  mkdirSync(join(folder, 'sub'));
  for (const [path, why] of [
    [loop, /cannot be read: its symbolic links lead in a circle/],
    [join(folder, 'sub'), /cannot be read: it is a folder where a file is wanted/],
  ] as const) {
    await expect(bytesOf(path).next()).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(why),
    });
  }
});
