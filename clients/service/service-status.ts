// Whether the installed service still fits: Node moves with every upgrade of nvm, the package with every `npm i -g` into another prefix,
// and a manager tells only "code=exited, status=203".
import { existsSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { isAbsolute } from 'node:path';
import type { EnsureDeps } from '#clients/connect/ensure-daemon.ts';
import { hasService, launchdLabel, type ServiceFiles, serviceFiles } from '#clients/connect/installed-service.ts';
import { askManager } from './ask-manager.ts';
import { plannedFiles } from './install-service.ts';
import { commandOfAgent } from './launchd-agent.ts';
import { commandOfUnit } from './systemd-units.ts';

export type ServiceProblem = { readonly problem: string; readonly fix: string };

export type ServiceStatus = {
  readonly installed: boolean;
  readonly manager: ServiceFiles['manager'];
  readonly file: string;
  /** What the manager says: `active`, `failed`, `inactive`, or `unreachable` where no manager answers. */
  readonly state: string;
  readonly starts_at_login: boolean;
  readonly command: readonly string[];
  /** Empty where all is well. */
  readonly problems: readonly ServiceProblem[];
};

/** What is true of the service now; changes nothing and starts nothing. */
export function serviceStatus(deps: Pick<EnsureDeps, 'env' | 'program'>): ServiceStatus {
  const files = serviceFiles(deps.env);
  if (!existsSync(files.service)) {
    return {
      installed: false,
      manager: files.manager,
      file: files.service,
      state: 'not installed',
      starts_at_login: false,
      command: [],
      problems: [],
    };
  }
  const text = readFileSync(files.service, 'utf8');
  const command = files.manager === 'systemd' ? commandOfUnit(text) : commandOfAgent(text);
  const { state, startsAtLogin } = managerState(files, deps.env);
  return {
    installed: true,
    manager: files.manager,
    file: files.service,
    state,
    starts_at_login: startsAtLogin,
    command,
    problems: [...moved(command), ...(command.length === 0 ? [unreadable] : unlike(deps)), ...failed(state)],
  };
}

const unreadable = { problem: 'The file names no command.', fix: 'loci service install' };

/** A word that is a path must be a file: node and the daemon. */
function moved(command: readonly string[]): ServiceProblem[] {
  return command
    .filter((word) => isAbsolute(word) && !existsSync(word))
    .map((word, index) => ({
      problem: `The service starts ${word}, which is no longer there${index === 0 && word === command[0] ? ': Node was moved or removed' : ''}.`,
      fix: 'loci service install',
    }));
}

/** A file that this installation would write otherwise: an older version's, or for another Node or another home. */
function unlike(deps: Pick<EnsureDeps, 'env' | 'program'>): ServiceProblem[] {
  if (!hasService(deps.env)) {
    return [{ problem: 'The service serves another home than this one.', fix: 'loci service install' }];
  }
  const differs = plannedFiles(deps).some(
    ({ path, content }) => !existsSync(path) || readFileSync(path, 'utf8') !== content,
  );
  if (!differs) return [];
  return [{ problem: 'The service is not what this version would install.', fix: 'loci service install' }];
}

function failed(state: string): ServiceProblem[] {
  if (state !== 'failed') return [];
  return [{ problem: 'The daemon could not run and is not started again; `loci logs` says why.', fix: 'loci start' }];
}

function managerState(files: ServiceFiles, env: NodeJS.ProcessEnv): { state: string; startsAtLogin: boolean } {
  if (files.manager === 'launchd') {
    const { code, text } = askManager(['launchctl', 'print', `gui/${userInfo().uid}/${launchdLabel}`], env);
    if (code !== 0) return { state: 'inactive', startsAtLogin: true };
    return { state: /^\s*state = (\S+)/m.exec(text)?.[1] ?? 'unknown', startsAtLogin: true };
  }
  const properties = ['ActiveState', 'UnitFileState'].map((name) => `--property=${name}`);
  const { code, text } = askManager(['systemctl', '--user', 'show', ...properties, 'loci.service'], env);
  if (code !== 0) return { state: 'unreachable', startsAtLogin: false };
  return {
    state: /^ActiveState=(.+)$/m.exec(text)?.[1] ?? 'unknown',
    startsAtLogin: /^UnitFileState=enabled$/m.test(text),
  };
}
