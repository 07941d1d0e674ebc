import { realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { LociProgram } from './agent.ts';

/** What says where Loci's home is. Agents such as Codex start servers without their own environment. */
const names = ['LOCI_HOME', 'LOCI_SOCKET', 'XDG_DATA_HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_RUNTIME_DIR'];

/** The program that runs here; `script` is `loci.cjs`, or a link of npm's to it. */
export function lociProgram(env: NodeJS.ProcessEnv, script: string, node = process.execPath): LociProgram {
  const real = realpathSync(script);
  const given = names.flatMap((name) => {
    const value = env[name];
    if (value === undefined || value === '') return [];
    return [[name, name.startsWith('LOCI') ? resolve(value) : value] as const];
  });
  const folder = dirname(real);
  return { node, script: join(folder, 'loci.cjs'), env: Object.fromEntries(given), texts: join(folder, 'agent-texts') };
}
