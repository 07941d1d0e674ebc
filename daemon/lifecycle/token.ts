import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { LociError } from '#shared/errors.ts';

/** Least length of a token worth having; a shorter file is the rest of a crash. */
const leastTokenLength = 32;

/** The bearer token of TCP: 32 random bytes in base64url, made at the first start, 0600. */
export function ensureToken(file: string): string {
  const found = readToken(file);
  if (found !== null) return found;
  const token = randomBytes(32).toString('base64url');
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, `${token}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(draft, file);
  return token;
}

function readToken(file: string): string | null {
  try {
    const token = readFileSync(file, 'utf8').trim();
    chmodSync(file, 0o600);
    return token.length >= leastTokenLength ? token : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new LociError('unavailable', `The token ${file} cannot be read; check who owns it.`);
  }
}
