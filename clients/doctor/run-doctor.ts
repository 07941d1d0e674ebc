// One check after the other, from the ground up: what is broken below explains what is broken above.
import { LociError } from '#shared/errors.ts';
import { agentHooks } from './agent-hooks.ts';
import { agentServers } from './agent-servers.ts';
import { broken, type Check, type DoctorDeps, type Finding } from './check.ts';
import { codexTrust } from './codex-trust.ts';
import { daemonState } from './daemon-state.ts';
import { diskSpace } from './disk-space.ts';
import { nativeModules } from './native-modules.ts';
import { ownFolders } from './own-folders.ts';
import { serviceFits } from './service-fits.ts';
import { settingsFile } from './settings-file.ts';
import { storeAgrees } from './store-agrees.ts';

export type DoctorReport = {
  readonly status: 'ok' | 'broken';
  readonly findings: readonly (Omit<Finding, 'fix'> & { readonly fixed?: boolean })[];
};

const checks: readonly Check[] = [
  settingsFile,
  ownFolders,
  diskSpace,
  nativeModules,
  daemonState,
  storeAgrees,
  serviceFits,
  agentServers,
  agentHooks,
  codexTrust,
];

export type DoctorOptions = {
  readonly fix: boolean;
  /** What was found before the checks. */
  readonly before: readonly Finding[];
};

/** Runs every check; with `fix` it mends what it safely can, and says of each whether it did. */
export async function runDoctor(deps: DoctorDeps, options: DoctorOptions): Promise<DoctorReport> {
  const findings: DoctorReport['findings'][number][] = [...options.before];
  for (const check of checks) {
    for (const { fix, ...finding } of await findingsOf(check, deps)) {
      if (!options.fix || fix === undefined) findings.push(finding);
      else findings.push(await mended(finding, fix));
    }
  }
  const isBroken = findings.some(({ status, fixed }) => status === 'broken' && fixed !== true);
  return { status: isBroken ? 'broken' : 'ok', findings };
}

async function findingsOf({ about, run }: Check, deps: DoctorDeps): Promise<Finding[]> {
  try {
    return await run(deps);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [broken(about, `This could not be looked at: ${why}`, 'loci logs')];
  }
}

async function mended(finding: Omit<Finding, 'fix'>, fix: NonNullable<Finding['fix']>) {
  try {
    await fix();
    return { ...finding, fixed: true };
  } catch (error) {
    const why = error instanceof LociError ? error.message : 'it could not be mended.';
    return { ...finding, says: `${finding.says} Not mended: ${why}`, fixed: false };
  }
}
