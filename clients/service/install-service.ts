// Writes the files of the service, and has the manager take them. A daemon that runs already was started by a client: it is ended first,
// because a manager does not take over what it did not start.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { endDaemon } from '#clients/connect/end-daemon.ts';
import { type EnsureDeps, ensureDaemon } from '#clients/connect/ensure-daemon.ts';
import { launchdLabel, type ServiceFiles, serviceFiles } from '#clients/connect/installed-service.ts';
import { clearStopMark } from '#clients/connect/stop-mark.ts';
import { LociError } from '#shared/errors.ts';
import { askManager, orderManager } from './ask-manager.ts';
import { launchdAgent } from './launchd-agent.ts';
import { createServicePlan } from './service-plan.ts';
import { systemdUnits } from './systemd-units.ts';

export type PlannedFile = { readonly path: string; readonly content: string };

/** Words of ours in every file that we write: others' files are left alone. */
const ownMark = 'Written by `loci service install`';

/** The files that `install` would write for this environment. */
export function plannedFiles({ env, program }: Pick<EnsureDeps, 'env' | 'program'>): PlannedFile[] {
  const plan = createServicePlan(env, program);
  const templates = join(dirname(program), '..', 'service-units');
  const files = serviceFiles(env);
  if (files.manager === 'launchd') return [{ path: files.service, content: launchdAgent(plan, templates) }];
  const units = systemdUnits(plan, templates);
  return [
    { path: files.service, content: units.service },
    { path: files.socket, content: units.socket },
  ];
}

/** Installs or renews the service and resolves when its daemon answers. Throws `conflict` for a file of that name that is not ours, `unavailable` where no manager takes orders. */
export async function installService(deps: EnsureDeps): Promise<PlannedFile[]> {
  const planned = plannedFiles(deps);
  const files = serviceFiles(deps.env);
  for (const { path } of planned) refuseForeign(path);
  refuseWithoutManager(files, deps.env);
  await endDaemon(deps);
  const orders = managerOrders(files);
  for (const order of orders.before) askManager(order, deps.env); // what is not there cannot be stopped
  mkdirSync(dirname(deps.paths.log), { recursive: true, mode: 0o700 }); // launchd opens the log before the daemon could make it
  for (const file of planned) replaceFile(file);
  for (const order of orders.install) orderManager(order, deps.env);
  clearStopMark(deps.paths);
  const { LOCI_NO_AUTOSTART: _, ...env } = deps.env;
  await ensureDaemon({ ...deps, env });
  return planned;
}

/** Stops the service and removes its files; answers which were there. Files of others are left, and told by `conflict`. */
export async function uninstallService({ env }: Pick<EnsureDeps, 'env'>): Promise<string[]> {
  const files = serviceFiles(env);
  const found = pathsOf(files).filter((path) => readOrNull(path) !== null);
  if (found.length === 0) return [];
  for (const path of found) refuseForeign(path);
  const orders = managerOrders(files);
  for (const order of orders.uninstall) askManager(order, env); // the files go even where no manager answers
  for (const path of found) rmSync(path, { force: true });
  for (const order of orders.after) askManager(order, env);
  return found;
}

export function pathsOf(files: ServiceFiles): string[] {
  return files.manager === 'systemd' ? [files.service, files.socket] : [files.service];
}

function managerOrders(files: ServiceFiles) {
  if (files.manager === 'launchd') {
    const domain = `gui/${userInfo().uid}`;
    const out = ['launchctl', 'bootout', `${domain}/${launchdLabel}`];
    return {
      before: [out],
      install: [['launchctl', 'bootstrap', domain, files.service]],
      uninstall: [out],
      after: [],
    };
  }
  const systemctl = (...words: string[]) => ['systemctl', '--user', ...words];
  const units = ['loci.socket', 'loci.service'];
  return {
    before: [systemctl('stop', ...units), systemctl('reset-failed', ...units)],
    install: [
      systemctl('daemon-reload'),
      systemctl('--quiet', 'enable', ...units),
      systemctl('start', 'loci.socket'),
      systemctl('--no-block', 'start', 'loci.service'),
    ],
    uninstall: [systemctl('--quiet', 'disable', ...units), systemctl('stop', ...units)],
    after: [systemctl('daemon-reload'), systemctl('reset-failed', ...units)],
  };
}

function refuseWithoutManager({ manager }: ServiceFiles, env: NodeJS.ProcessEnv): void {
  const { code } = askManager(
    manager === 'systemd' ? ['systemctl', '--user', 'show', '--property=Version'] : ['launchctl', 'managername'],
    env,
  );
  if (code === 0) return;
  throw new LociError(
    'unavailable',
    manager === 'systemd'
      ? 'No systemd user manager answers here, so there is nothing to install a service into; clients start the daemon without one.'
      : 'launchd does not answer here, so there is nothing to install a service into; clients start the daemon without one.',
  );
}

function refuseForeign(path: string): void {
  const text = readOrNull(path);
  if (text === null || text.includes(ownMark)) return;
  throw new LociError('conflict', `${path} was not written by Loci: move it away, then run this again.`);
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new LociError('unavailable', `${path} cannot be read: check who owns it.`);
  }
}

/** One step: a manager that reads meanwhile sees the old file or the new one. */
function replaceFile({ path, content }: PlannedFile): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const draft = `${path}.${randomBytes(4).toString('hex')}`;
    writeFileSync(draft, content, { mode: 0o644, flag: 'wx' });
    renameSync(draft, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new LociError('unavailable', `${path} cannot be written (${code ?? 'unknown error'}): check its folder.`);
  }
}
