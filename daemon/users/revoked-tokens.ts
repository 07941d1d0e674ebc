// Which tokens were revoked, beside the database: a restored backup brings back the tokens of its day, and those that were revoked since
// must stay dead. Hashes alone, a line each; the file only grows, by the few tokens that anybody ever revokes.
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type RevokedTokens = {
  has(hash: string): boolean;
  /** Throws what the file system throws: a revocation that is not kept is none. */
  add(hash: string): void;
};

export function openRevokedTokens(configFolder: string): RevokedTokens {
  const file = join(configFolder, 'revoked-tokens');
  const hashes = new Set(read(file).split('\n'));
  return {
    has: (hash) => hashes.has(hash),
    add(hash) {
      if (hashes.has(hash)) return;
      mkdirSync(configFolder, { recursive: true, mode: 0o700 });
      appendFileSync(file, `${hash}\n`, { mode: 0o600 });
      hashes.add(hash);
    },
  };
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
