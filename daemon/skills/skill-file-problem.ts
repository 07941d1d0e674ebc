import { LociError } from '#shared/errors.ts';

/** The `invalid_input` for a SKILL.md that cannot be read: what is wrong, in which line of it (from 1; null for the whole), and what to do. */
export function skillFileProblem(problem: string, line: number | null): LociError {
  const where = line === null ? '' : `line ${line}: `;
  return new LociError('invalid_input', `SKILL.md: ${where}${problem}`, {
    skill_md_content: `${where}${problem}`,
    ...(line === null ? {} : { line }),
  });
}
