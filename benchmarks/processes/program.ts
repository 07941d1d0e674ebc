import { join } from 'node:path';
import { daemonEnvironment } from '#clients/connect/spawn-daemon.ts';
import { installationFolder } from '#daemon/embeddings/installed-files.ts';

/** A built program of `dist/`: what is measured is what users run. */
export function program(name: 'loci' | 'locid'): string {
  return join(installationFolder(), 'dist', name === 'loci' ? 'loci.cjs' : 'locid.js');
}

/** The environment of a client that works on `home`, and of nothing else that runs here. */
export function clientEnvironment(home: string): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: home, LOCI_HOME: home, LOCI_PORT: '0' };
}

/** What a client would give to the daemon that it starts. */
export function environmentOfDaemon(home: string, extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return daemonEnvironment({ ...clientEnvironment(home), ...extra }, '');
}
