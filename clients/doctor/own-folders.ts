import { chmodSync, lstatSync, type Stats } from 'node:fs';
import { broken, type Check, type Finding, ok } from './check.ts';
import { shellWord } from './shell-word.ts';

/** Folders and files of Loci are their owner's alone: what agents say stands in them. */
export const ownFolders: Check = {
  about: 'permissions',
  run({ paths }) {
    const folders = [paths.data, paths.config, paths.state, paths.run];
    // not the settings: the daemon closes them itself where they hold a secret, and else people keep them in git
    const files = [paths.database, paths.lock, paths.card, paths.token, paths.log];
    const found = [
      ...folders.flatMap((folder) => judge(folder, 0o700, 'folder')),
      ...files.flatMap((file) => judge(file, 0o600, 'file')),
    ];
    return found.length > 0 ? found : [ok('permissions', 'folders and files are yours alone')];
  },
};

function judge(path: string, mode: number, kind: 'folder' | 'file'): Finding[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return []; // made when it is needed
  const word = shellWord(path);
  const uid = process.getuid?.();
  if (uid !== undefined && found.uid !== uid) {
    return [
      broken('permissions', `${path} belongs to another user (uid ${found.uid}).`, `sudo chown $(id -u) ${word}`),
    ];
  }
  if (kind === 'file' && found.isSymbolicLink()) {
    return [broken('permissions', `${path} is a link, which the daemon refuses to follow.`, `mv ${word} ${word}.link`)];
  }
  if (!isOfKind(found, kind)) return [broken('permissions', `${path} must be a ${kind}.`, `mv ${word} ${word}.old`)];
  if (found.isSymbolicLink() || (found.mode & 0o077) === 0) return [];
  const command = `chmod ${mode.toString(8)} ${word}`;
  return [broken('permissions', `Others may look into ${path}.`, command, () => chmodSync(path, mode))];
}

function isOfKind(found: Stats, kind: 'folder' | 'file'): boolean {
  if (found.isSymbolicLink()) return true;
  return kind === 'folder' ? found.isDirectory() : found.isFile();
}
