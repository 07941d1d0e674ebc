import { dirname, join } from 'node:path';
import { createConnection } from '#clients/connect/connection.ts';
import { ownProgram } from '#clients/connect/ensure-daemon.ts';
import { identify } from '#clients/connect/find-daemon.ts';
import { localDaemon } from '#clients/connect/local-daemon.ts';
import { createWire } from '#clients/connect/wire.ts';
import { repairStore } from '#clients/doctor/repair-store.ts';
import { type DoctorReport, runDoctor } from '#clients/doctor/run-doctor.ts';
import type { Session } from './session.ts';

export type ExamineOptions = { readonly fix: boolean; readonly repair: boolean };

/** Examines the home that the session's flags and environment mean. A daemon that does not run is not started, except for a repair, which is its work. */
export async function examine({ io, options }: Session, { fix, repair }: ExamineOptions): Promise<DoctorReport> {
  const wire = createWire();
  const here = localDaemon(io.env, options);
  const program = ownProgram();
  const repaired = repair ? [await repairStore({ ...here, program })] : [];
  const quiet = { ...here, env: { ...here.env, LOCI_NO_AUTOSTART: '1' } };
  const connection = createConnection({ ...quiet, program, server: null, folder: null, agent: 'loci-doctor' });
  try {
    const daemon = await identify(wire, here.paths).catch(() => null);
    return await runDoctor(
      {
        ...here,
        wire,
        program,
        script: join(dirname(program), 'loci.cjs'),
        daemon,
        call: (operation, input) => connection.call(operation, input, { deadlineMs: 30_000 }),
        nowMs: io.nowMs(),
      },
      { fix, before: repaired },
    );
  } finally {
    await connection.close();
    wire.close();
  }
}
