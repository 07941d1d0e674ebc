// The agents themselves, as their users have them: pinned, and in a folder outside of the repository, so that Loci never depends on
// them. The folder is kept between runs, because together they weigh a gigabyte; its mark says which versions are whole.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type AgentName, agents, usualAgents } from './agents.ts';

/** These two put their program in place by an install script. */
const allowScripts = { '@anthropic-ai/claude-code': true, 'opencode-ai': true };

const installTimeoutMs = 280_000;

/** Installs what is missing and answers the folder of the agents' programs; `LOCI_AGENTS_FOLDER` names another place to keep them. */
export async function installAgents(names: readonly AgentName[] = usualAgents): Promise<string> {
  const folder = process.env.LOCI_AGENTS_FOLDER || join(tmpdir(), 'loci-test-agents');
  const mark = join(folder, 'installed.json');
  const present = dependenciesIn(readOrEmpty(mark));
  const wanted = Object.fromEntries(names.map((name) => [agents[name].package, agents[name].version]));
  if (Object.entries(wanted).some(([name, version]) => present[name] !== version)) {
    const dependencies = { ...present, ...wanted };
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const manifest = `${JSON.stringify({ private: true, dependencies, allowScripts }, null, 2)}\n`;
    writeFileSync(join(folder, 'package.json'), manifest);
    const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
    await promisify(execFile)('npm', args, { cwd: folder, timeout: installTimeoutMs, killSignal: 'SIGKILL' });
    writeFileSync(mark, manifest);
  }
  return join(folder, 'node_modules', '.bin');
}

function dependenciesIn(manifest: string): Record<string, string> {
  return manifest === '' ? {} : (JSON.parse(manifest) as { dependencies: Record<string, string> }).dependencies;
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
