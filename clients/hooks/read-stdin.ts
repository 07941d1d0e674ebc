/** More is not read: a hook is told of a prompt or a path, and what a tool has written may be any size. */
const maxBytes = 5 * 2 ** 20;

/** The JSON on stdin. Does not wait for its end once it is whole, because an agent may keep the pipe open. Rejects what is longer, or no JSON. */
export function readStdin(stdin: NodeJS.ReadStream): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const parsed = (): unknown => JSON.parse(Buffer.concat(chunks).toString('utf8'));
    stdin.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxBytes) {
        stdin.destroy();
        reject(new Error('stdin holds more than 5 MB'));
      } else if (/\}\s*$/.test(chunk.subarray(-16).toString('latin1'))) {
        try {
          resolve(parsed());
        } catch {
          // a brace inside: more follows
        }
      }
    });
    stdin.on('error', reject);
    stdin.on('end', () => {
      try {
        resolve(size === 0 ? {} : parsed());
      } catch {
        reject(new Error('stdin holds no JSON'));
      }
    });
  });
}
