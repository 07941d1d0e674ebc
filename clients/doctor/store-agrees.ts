// Whether what was saved is whole and can be found. A living daemon is asked; where none lives, `locid --check` looks, which takes the lock
// first and never opens the database of another.
import { execFile } from 'node:child_process';
import { daemonEnvironment } from '#clients/connect/spawn-daemon.ts';
import { LociError } from '#shared/errors.ts';
import type { StoreCheck } from '#shared/store-check.ts';
import { broken, type Check, type DoctorDeps, type Finding, notice, ok } from './check.ts';
import { updateCommand } from './daemon-state.ts';
import { teamFindings } from './team-database.ts';

const timeoutMs = 120_000;
const repair = 'loci doctor --repair';
const reinstall = 'npm install -g loci-memory@latest';

export const storeAgrees: Check = {
  about: 'store',
  async run(deps) {
    const found = await checkStore(deps);
    const model =
      found.model === null
        ? ok('model', 'its files are as they were shipped')
        : broken('model', `${found.model.file} of the embedding model is ${found.model.reason}.`, reinstall);
    if (found.team !== null) return [model, ...teamFindings(found.team)];
    if (deps.daemon !== null) return [model, ...(await vectorsOfDaemon(deps))];
    return [model, ...storeFindings(found)];
  },
};

function storeFindings(found: StoreCheck): Finding[] {
  const { store, why, schema } = found;
  if (store === 'absent') return [ok('store', 'nothing is saved yet')];
  if (store === 'in_use') {
    return [broken('store', 'A daemon holds the store and does not answer on its socket.', 'loci restart')];
  }
  if (store === 'unreadable') return [broken('store', why ?? 'The store cannot be read.', repair)];
  if (schema !== null && schema.found > schema.known) {
    const says = `The database was written by a newer version of Loci (schema ${schema.found}, this one knows ${schema.known}).`;
    return [broken('store', says, updateCommand)];
  }
  return [integrity(found), keywordIndex(found), vectorTable(found)].filter((one) => one !== null);
}

function integrity({ integrity: said }: StoreCheck): Finding | null {
  if (said === null) return null;
  return said === 'ok'
    ? ok('database', 'is whole')
    : broken('database', `SQLite finds it damaged: ${said.split('\n')[0] ?? ''}.`, repair);
}

function keywordIndex({ keyword_index: said, integrity: whole }: StoreCheck): Finding | null {
  if (said === null) {
    return whole === 'ok'
      ? notice(
          'keyword index',
          'It was not looked at: that takes a copy of the database, and there is no room for one.',
        )
      : null;
  }
  if (said === 'ok') return ok('keyword index', 'agrees with the memories');
  return broken('keyword index', 'It does not agree with the memories.', repair);
}

function vectorTable({ vectors }: StoreCheck): Finding | null {
  if (vectors === null) return null;
  const { stored, table, pending } = vectors;
  if (table === null || pending > 0) {
    return ok('vectors', `${stored} in the database; the next start brings the vector table up to them`);
  }
  if (table === stored) return ok('vectors', `${stored}, as many in the vector table as in the database`);
  const says = `The database has ${stored} and the vector table ${table}.`;
  return notice('vectors', says, 'loci start && loci jobs run reconcile');
}

type Stats = {
  readonly vectors: { readonly rows: number; readonly pending: number };
  readonly jobs: readonly { readonly job: string; readonly outcome: string | null }[];
};

async function vectorsOfDaemon({ call }: DoctorDeps): Promise<Finding[]> {
  try {
    const { vectors, jobs } = (await call('memory_stats', {})) as Stats;
    const reconcile = jobs.find(({ job }) => job === 'reconcile');
    if (reconcile?.outcome === 'failed') {
      return [broken('vectors', 'The last comparison with the database failed.', 'loci jobs run reconcile')];
    }
    const waiting = vectors.pending === 0 ? '' : `, ${vectors.pending} still to be embedded`;
    return [ok('vectors', `${vectors.rows}${waiting}`)];
  } catch (error) {
    if (error instanceof LociError) return []; // the daemon's own state has said why
    throw error;
  }
}

function checkStore({ env, paths, program }: DoctorDeps): Promise<StoreCheck> {
  const environment = daemonEnvironment({ ...env, LOCI_SOCKET: paths.httpSocket }, '');
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [program, '--check'],
      { env: environment, timeout: timeoutMs },
      (_error, stdout, stderr) => {
        try {
          resolve(JSON.parse(stdout) as StoreCheck);
        } catch {
          const said = /^(?:error: |\w*Error: )(.+)$/m.exec(stderr)?.[1];
          reject(new LociError('internal', said ?? 'the check of the store ended without an answer'));
        }
      },
    );
  });
}
