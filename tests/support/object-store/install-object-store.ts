// A server of the S3 protocol for the tests, made from its pinned source by the Go tool chain and kept outside of the repository. The first
// time takes half a minute for the small one and a few for the large one.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * `gofakes3` keeps one file and believes every key; `versitygw` is a gateway to folders that checks signatures; `seaweedfs` is several
 * servers that keep each object twice. All refuse `If-None-Match: *` for an object that is there.
 */
const servers = {
  gofakes3: { module: 'github.com/johannesboyne/gofakes3/cmd/gofakes3', version: 'v1.2.0' },
  versitygw: { module: 'github.com/versity/versitygw/cmd/versitygw', version: 'v1.8.0' },
  seaweedfs: { module: 'github.com/seaweedfs/seaweedfs/weed', version: 'v0.0.0-20261109003541-7506e5f91cd6' },
} as const;

export type ServerName = keyof typeof servers;

export const installTimeoutMs = 600_000;

/** Answers the program's path; `LOCI_OBJECT_STORE_FOLDER` names another place to keep it. */
export async function installObjectStore(name: ServerName): Promise<string> {
  const { module, version } = servers[name];
  const root = process.env.LOCI_OBJECT_STORE_FOLDER || join(tmpdir(), 'loci-test-object-stores');
  const folder = join(root, `${name}-${version}`);
  const program = join(folder, name);
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const env = { ...process.env, GOFLAGS: '-buildvcs=false', CGO_ENABLED: '0' };
  const go = (...words: string[]) =>
    promisify(execFile)('go', words, { cwd: folder, env, timeout: installTimeoutMs, killSignal: 'SIGKILL' });
  try {
    // built in a module of its own: `go install` refuses a program whose module replaces another
    if (!existsSync(join(folder, 'go.mod'))) await go('mod', 'init', 'loci.test/object-store');
    await go('get', `${module}@${version}`);
    await go('build', '-o', program, module);
  } catch (error) {
    throw new Error('the tests of a shared vector table need Go and its module proxy', { cause: error });
  }
  return program;
}
