import { describe, expect, it } from 'vitest';
import { exitCodeOf } from '#clients/cli/exit-codes.ts';
import { errorCodes, LociError } from '#shared/errors.ts';
import { runCliHere } from '../../support/run-cli.ts';

describe('exit codes', () => {
  it('are 2 for bad input, 3 for not found, 4 for conflict and 1 for every other error', () => {
    const table = Object.fromEntries(errorCodes.map((code) => [code, exitCodeOf(new LociError(code, 'x'))]));
    expect(table).toEqual({
      ...Object.fromEntries(errorCodes.map((code) => [code, 1])),
      invalid_input: 2,
      not_found: 3,
      conflict: 4,
    });
  });

  it('are 5 only where no daemon answered', () => {
    expect(exitCodeOf(new LociError('unavailable', 'x', { reachable: false }))).toBe(5);
    expect(exitCodeOf(new LociError('unavailable', 'x', { reachable: true }))).toBe(1);
  });

  it.each([...errorCodes])('an answer %s is one sentence on stderr and nothing on stdout', async (code) => {
    const error = new LociError(code, 'Say it otherwise.');
    const run = await runCliHere(['stats', '--json'], {
      answer: () => {
        throw error;
      },
    });
    expect(run).toMatchObject({ code: exitCodeOf(error), stdout: '', stderr: 'error: Say it otherwise.\n' });
  });

  it('a message cannot steer the terminal', async () => {
    const run = await runCliHere(['stats'], {
      answer: () => {
        throw new LociError('not_found', 'no \u001b]0;title\u0007');
      },
    });
    expect(run.stderr).toBe('error: no \\x1b]0;title\\x07\n');
  });

  it('a fault of the program itself is exit code 1 without a stack', async () => {
    const run = await runCliHere(['stats'], {
      answer: () => {
        throw new TypeError('boom');
      },
    });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toBe('error: loci itself failed: boom\n');
  });
});
