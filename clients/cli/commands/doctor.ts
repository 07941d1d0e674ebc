import { Command } from 'commander';
import type { Finding } from '#clients/doctor/check.ts';
import type { DoctorReport } from '#clients/doctor/run-doctor.ts';
import type { CommandDeps } from '../derive-command.ts';
import { exitUnexpected } from '../exit-codes.ts';
import { addGlobalOptions } from '../global-options.ts';
import type { Mount } from '../mount.ts';
import { escapeLine } from '../render/escape.ts';
import type { View } from '../render/style.ts';
import { displayWidth, padWidth } from '../render/width.ts';

/** `loci doctor`: what is wrong and with what to mend it; loaded when it is run and not before. */
export function addDoctorCommand(mount: Mount, deps: CommandDeps): void {
  const command = addGlobalOptions(
    new Command('doctor')
      .summary('what is wrong, and what mends it')
      .description(
        'Look at the settings, folders, native modules, daemon, store, service and agents; try the very command of each agent as the agent would. Changes nothing without --fix, and exits 1 when something is broken.',
      )
      .option('--fix', 'mend what can safely be mended')
      .option('--repair', 'first make a damaged database whole; the damaged files are kept'),
  );
  command.action(async ({ fix = false, repair = false }: { fix?: boolean; repair?: boolean }) => {
    const session = deps.openSession(command);
    const { examine } = await import('../examine.ts');
    const report = await examine(session, { fix, repair });
    session.print(report, () => ({ result: reportText(report, session.view()) }));
    if (report.status === 'broken') deps.setExitCode(exitUnexpected);
  });
  mount('doctor', command);
}

type Told = DoctorReport['findings'][number];

function reportText({ findings }: DoctorReport, view: View): string {
  const width = Math.max(...findings.map(({ about }) => displayWidth(about)));
  return findings
    .map((finding) => {
      const tail = finding.mend === null ? '' : ` ${view.style.cyan(`→ ${finding.mend}`)}`;
      const done = finding.fixed === true ? ` ${view.style.green('(mended)')}` : tail;
      return `${markOf(finding, view)} ${padWidth(escapeLine(finding.about), width)}  ${escapeLine(finding.says)}${done}`;
    })
    .join('\n');
}

function markOf({ status, fixed }: Told, { style }: View): string {
  const marks: Record<Finding['status'], string> = {
    ok: style.green('ok'),
    notice: style.yellow(' ?'),
    broken: style.red(' !'),
  };
  return marks[fixed === true ? 'ok' : status];
}
