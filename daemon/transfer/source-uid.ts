// Uids for what has none: made from where it comes from, so that the same file imported again is the same things. The user is a part of
// it, because two people may import one file into one daemon.
import { createHash } from 'node:crypto';

/** A UUID of version 8 (RFC 9562 §5.8) from the SHA-256 of the parts. */
export function uidFrom(...parts: readonly string[]): string {
  const bytes = createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 16);
  bytes[6] = 0x80 | ((bytes[6] as number) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] as number) & 0x3f);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
