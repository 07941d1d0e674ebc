// Archives that no honest Loci wrote: tar members of any kind, made header by header.
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { Header } from 'tar';

export type Member = {
  readonly path: string;
  readonly type?: 'File' | 'SymbolicLink' | 'Link' | 'Directory';
  readonly linkpath?: string;
  readonly body?: Buffer | string;
};

export function writeCraftedArchive(file: string, members: readonly Member[]): void {
  const blocks = members.flatMap(({ path, type = 'File', linkpath, body = '' }) => {
    const bytes = Buffer.from(body);
    const header = Buffer.alloc(512);
    new Header({
      path,
      type,
      mode: 0o644,
      size: bytes.length,
      mtime: new Date(0),
      ...(linkpath ? { linkpath } : {}),
    }).encode(header, 0);
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  // the empty member at the end is how ours end: without it an archive counts as cut off
  writeFileSync(
    file,
    Buffer.concat([gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)])), gzipSync(Buffer.alloc(0))]),
  );
}
