import { existsSync } from 'node:fs';
import { LociError } from '#shared/errors.ts';
import { compareVersions, version } from '#shared/version.ts';
import { broken, type Check, type DoctorDeps, type Finding, notice, ok } from './check.ts';

type Part = { readonly status: string; readonly why?: string };

/** What mends a part that is not well, where `loci logs` is not the answer. */
const mends: Readonly<Record<string, string>> = {
  vector_index: 'loci jobs run reconcile',
  embedder: 'loci config embedding',
  jobs: 'loci jobs list',
  disk: 'df -h',
};

/** Whether the daemon runs, how old it is, and how it says that its parts are. Never starts one. */
export const daemonState: Check = {
  about: 'daemon',
  async run(deps) {
    const { daemon, paths } = deps;
    if (daemon === null) {
      return existsSync(paths.stopMark)
        ? [notice('daemon', '`loci stop` stopped it, and nothing starts it.', 'loci start')]
        : [ok('daemon', 'does not run; the first command that needs it starts it')];
    }
    const findings: Finding[] = [
      compareVersions(daemon.version, version) === 0
        ? ok('daemon', `runs, version ${daemon.version}, process ${daemon.pid}`)
        : notice('daemon', `It is version ${daemon.version} and this program ${version}.`, 'loci restart'),
    ];
    return [...findings, ...(await partsOf(deps))];
  },
};

async function partsOf({ call }: DoctorDeps): Promise<Finding[]> {
  try {
    const health = (await call('memory_health', {})) as Readonly<Record<string, unknown>>;
    return Object.entries(health).flatMap(([name, value]) => {
      const { status, why } = (typeof value === 'object' && value !== null ? value : {}) as Partial<Part>;
      if (status === undefined || status === 'ok') return [];
      return [judged(name, status, why ?? 'It is not well.')];
    });
  } catch (error) {
    if (!(error instanceof LociError)) throw error;
    return [broken('store', error.message, mendOf(error))];
  }
}

function judged(part: string, status: string, why: string): Finding {
  const about = part.replaceAll('_', ' ');
  const mend = mends[part] ?? 'loci logs';
  return status === 'down' ? broken(about, why, mend) : notice(about, why, mend);
}

/** A database of a newer version is no damage: only an older program is in the way. */
function mendOf({ details }: LociError): string {
  return typeof details.known === 'number' ? updateCommand : 'loci logs';
}

export const updateCommand = 'npm install -g loci-memory@latest && loci restart';
