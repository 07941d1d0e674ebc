import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';

/** The entries of a zip by name, read from its directory as an unpacker does. */
export function readZip(file: string): Map<string, Buffer> {
  const bytes = readFileSync(file);
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  const entries = new Map<string, Buffer>();
  let at = bytes.readUInt32LE(end + 16);
  for (let count = bytes.readUInt16LE(end + 10); count > 0; count -= 1) {
    const [packedBytes, rawBytes] = [bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 24)];
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset));
    const local = bytes.readUInt32LE(at + 42);
    const name = bytes.toString('utf8', at + 46, at + 46 + (nameBytes ?? 0));
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const content = inflateRawSync(bytes.subarray(start, start + packedBytes));
    if (content.length !== rawBytes) throw new Error(`${name} has ${content.length} bytes and not ${rawBytes}`);
    entries.set(name, content);
    at += 46 + (nameBytes ?? 0) + (extraBytes ?? 0) + (commentBytes ?? 0);
  }
  return entries;
}
