// The agents themselves, as their users have them: pinned, and in a folder outside of the repository, so that Loci never depends on
// them. The folder is kept between runs, because together they weigh a gigabyte; its mark says which versions are whole.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { agents } from './agents.ts';

const dependencies = Object.fromEntries(Object.values(agents).map(({ package: name, version }) => [name, version]));

/** These two put their program in place by an install script. */
const allowScripts = { '@anthropic-ai/claude-code': true, 'opencode-ai': true };

const installTimeoutMs = 280_000;

/** Installs what is missing and answers the folder of the agents' programs; `LOCI_AGENTS_FOLDER` names another place to keep them. */
export async function installAgents(): Promise<string> {
  const folder = process.env.LOCI_AGENTS_FOLDER || join(tmpdir(), 'loci-test-agents');
  const wanted = `${JSON.stringify({ private: true, dependencies, allowScripts }, null, 2)}\n`;
  const mark = join(folder, 'installed.json');
  if (readOrEmpty(mark) !== wanted) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, 'package.json'), wanted);
    const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
    await promisify(execFile)('npm', args, { cwd: folder, timeout: installTimeoutMs, killSignal: 'SIGKILL' });
    writeFileSync(mark, wanted);
  }
  return join(folder, 'node_modules', '.bin');
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
