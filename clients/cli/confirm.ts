import { LociError } from '#shared/errors.ts';
import { isInteractive } from './cli-io.ts';
import { escapeLine } from './render/escape.ts';
import type { Session } from './session.ts';

/** Thrown when a person breaks off with Ctrl-C or answers no: nothing was changed and there is nothing to report. */
export class Interrupted extends Error {}

/** Asks before something is destroyed. Without a terminal nobody can be asked: then `--yes` must say it, else `invalid_input`. */
export async function confirm(session: Session, question: string, isAgreed: boolean): Promise<void> {
  if (isAgreed) return;
  if (!isInteractive(session.io)) {
    throw new LociError('invalid_input', `${question}? There is no terminal to answer at: add --yes.`);
  }
  const { confirm: ask, isCancel } = await import('@clack/prompts');
  const answer = await ask({
    message: `${escapeLine(question)}?`,
    initialValue: false,
    input: session.io.stdin,
    output: session.io.stderr,
  });
  if (isCancel(answer) || !answer) throw new Interrupted();
}
