import { describe, expect, it } from 'vitest';
import { globalNames } from '#clients/cli/global-options.ts';
import { inputFieldsOf } from '#clients/cli/input-fields.ts';
import { flagsOf, positionalsOf, verbOf } from '#clients/cli/verb.ts';
import { contracts } from '#shared/contract/index.ts';
import { LociError } from '#shared/errors.ts';
import { runCliHere } from '../../support/run-cli.ts';

const verbs = contracts.flatMap((contract) => {
  const verb = verbOf(contract);
  return verb === null || contract.name === 'memory' ? [] : [verb];
});

/** A renderer must not hide what was called, so these tests read `--json`. */
async function call(args: string[], options: Parameters<typeof runCliHere>[1] = {}) {
  const run = await runCliHere([...args, '--json'], options);
  return { ...run, input: run.calls[0]?.input };
}

describe.each(verbs)('loci $command', (verb) => {
  it('offers every field of its contract, by position or by a flag', () => {
    const offered = new Set([
      ...positionalsOf(verb).map(({ field }) => field.name),
      ...flagsOf(verb).map(({ field }) => field.name),
    ]);
    expect(inputFieldsOf(verb.contract).filter(({ name }) => !offered.has(name))).toEqual([]);
  });

  it('has no flag twice and none that every command has', () => {
    const names = flagsOf(verb).map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(names.filter((name) => [...globalNames, 'help', 'version', 'yes', 'clear'].includes(name))).toEqual([]);
  });

  it('sends every value as the text that was typed, and nothing that was not', async () => {
    const positionals = positionalsOf(verb);
    const shown = flagsOf(verb).filter(({ isHidden }) => !isHidden);
    const args = shown.flatMap(({ name, field }) => (field.kind === 'switch' ? [`--${name}`] : [`--${name}`, 'x1']));
    const yes = verb.confirm === undefined ? [] : ['--yes'];
    const run = await call([
      ...verb.command.split(' '),
      ...args,
      ...yes,
      ...positionals.map((_, index) => `p${index}`),
    ]);
    const expected = Object.fromEntries([
      ...shown.map(({ field }) => [field.name, field.kind === 'switch' ? true : 'x1']),
      ...positionals.map(({ field }, index) => [field.name, `p${index}`]),
    ]);
    expect(run.stderr).toBe('');
    expect(run.calls).toEqual([{ operation: verb.contract.name, input: expected }]);
  });

  it('is named by --help with every flag that it shows', async () => {
    const { stdout } = await runCliHere([...verb.command.split(' '), '--help']);
    const missing = flagsOf(verb).filter(({ name, isHidden }) => stdout.includes(`--${name}`) === isHidden);
    expect(missing.map(({ name }) => name)).toEqual([]);
  });
});

describe('arguments', () => {
  it('a list field is a flag of one word that may be repeated', async () => {
    const { input } = await call(['add', 'text', '--tag', 'a,b', '--tag', 'c', '--file', 'x.ts']);
    expect(input).toEqual({ content: 'text', tags: ['a,b', 'c'], files: 'x.ts' });
  });

  it('the name of the field works as a flag too', async () => {
    expect((await call(['search', 'q', '--include-archived', '--limit', '3'])).input).toEqual({
      query: 'q',
      include_archived: true,
      limit: '3',
    });
    expect((await call(['search', 'q', '--all', '-n', '3'])).input).toEqual({
      query: 'q',
      include_archived: true,
      limit: '3',
    });
  });

  it('B04 a limit below zero reaches the daemon as it was typed, for it to refuse', async () => {
    for (const limit of ['-1', '0', '2.5', 'abc', '1000000000']) {
      expect((await call(['search', 'q', '--limit', limit])).input).toEqual({ query: 'q', limit });
      expect((await call(['search', 'q', '-n', limit])).input).toEqual({ query: 'q', limit });
    }
  });

  it('several ids are several calls, and --json prints one list', async () => {
    const run = await call(['get', '1', '2'], { answer: (_, { id }) => ({ id: Number(id) }) });
    expect(run.calls.map(({ input }) => input)).toEqual([{ id: '1' }, { id: '2' }]);
    expect(JSON.parse(run.stdout)).toEqual([{ id: 1 }, { id: 2 }]);
  });

  it('of several ids one that fails is named, the others answer, and the exit code is that of the failure', async () => {
    const run = await call(['archive', '1', '2', '3'], {
      answer: (_, { id }) => {
        if (id === '2') throw new LociError('not_found', 'There is no memory 2.');
        return { id: Number(id), status: 'archived', changed: true };
      },
    });
    expect(run.code).toBe(3);
    expect(run.stderr).toBe('error: 2: There is no memory 2.\n');
    expect(JSON.parse(run.stdout)).toHaveLength(2);
  });

  it('several ids under one idempotency key are several keys', async () => {
    const run = await call(['archive', '1', '2', '--idempotency-key', 'k'], { answer: () => ({ id: 1 }) });
    expect(run.calls.map(({ input }) => input.idempotency_key)).toEqual(['k#0', 'k#1']);
  });

  it('update tells false from nothing, and clears by null', async () => {
    expect((await call(['update', '4', '--no-pinned'])).input).toEqual({ id: '4', pinned: false });
    expect((await call(['update', '4', '--clear', 'problem', '--clear', 'tag'])).input).toEqual({
      id: '4',
      problem: null,
      tags: [],
    });
    const both = await call(['update', '4', '--problem', 'x', '--clear', 'problem']);
    expect(both).toMatchObject({ code: 2, calls: [] });
    expect((await call(['update', '4', '--clear', 'bogus'])).code).toBe(2);
  });
});

describe('B40 dash-led values and stdin', () => {
  it('text after -- is text, and a flag takes a value that begins with a dash', async () => {
    expect((await call(['add', '--title', '--force', '--', '-rf is dangerous'])).calls).toEqual([]);
    const run = await runCliHere(['add', '--json', '--title', '--force', '--', '-rf is dangerous']);
    expect(run.calls[0]?.input).toEqual({ title: '--force', content: '-rf is dangerous' });
  });

  it('a flag that every command has is text when it is the value of another flag', async () => {
    const run = await runCliHere(['add', 'x', '--title', '--json', '--context=--quiet']);
    expect(run.calls[0]?.input).toEqual({ content: 'x', title: '--json', context: '--quiet' });
  });

  it('- reads stdin exactly, but for one line break at its end', async () => {
    const text = '  two\n\nlines \t— 東京 \u{1F9EA}\n';
    const run = await call(['add', '-', '--title=-x'], { stdin: `${text}\n` });
    expect(run.input).toEqual({ content: text, title: '-x' });
  });

  it('- is stdin for a flag of text as well, but only once', async () => {
    expect((await call(['update', '1', '--content', '-'], { stdin: 'new' })).input).toEqual({
      id: '1',
      content: 'new',
    });
    const twice = await call(['add', '-', '--problem', '-'], { stdin: 'x' });
    expect(twice).toMatchObject({ code: 2, calls: [] });
    expect(twice.stderr).toContain('stdin is read once');
  });

  it('call --args - reads JSON from stdin, and refuses what is none', async () => {
    const run = await call(['call', 'memory_save', '--args', '-'], { stdin: '{"content": "--x"}' });
    expect(run.calls).toEqual([{ operation: 'memory_save', input: { content: '--x' } }]);
    for (const args of ['{', '[]', '"x"', 'null']) {
      expect(await call(['call', 'memory_save', '--args', args])).toMatchObject({ code: 2, calls: [] });
    }
  });

  it('bytes that are no UTF-8 are refused', async () => {
    expect(await call(['add', '-'], { stdin: Buffer.from([0x61, 0xff, 0xfe]) })).toMatchObject({ code: 2, calls: [] });
  });

  it('an unknown flag is an error with exit code 2 that names the near one', async () => {
    const run = await runCliHere(['add', 'x', '--titel', 'y']);
    expect(run).toMatchObject({ code: 2, stdout: '', calls: [] });
    expect(run.stderr).toContain("error: unknown option '--titel'");
    expect(run.stderr).toContain('--title');
  });

  it('help names -- and -', async () => {
    const { stdout } = await runCliHere(['--help']);
    expect(stdout).toContain('`-` is read from stdin');
    expect(stdout).toContain('`--` ends the flags');
  });
});

describe('what erases', () => {
  it('needs --yes where nobody can be asked', async () => {
    for (const args of [
      ['purge', '1'],
      ['fact', 'forget', 'ci_host'],
      ['call', 'memory_purge', '--args', '{"id":1}'],
    ]) {
      const refused = await runCliHere(args);
      expect(refused, args.join(' ')).toMatchObject({ code: 2, stdout: '', calls: [] });
      expect(refused.stderr).toContain('--yes');
      expect((await runCliHere([...args, '--yes', '--json'])).calls, args.join(' ')).toHaveLength(1);
    }
  });
});

describe('what erases, on a terminal', () => {
  it.each([
    ['y', 0, 1],
    ['n', 130, 0],
    ['\u0003', 130, 0],
  ])('asks, and %j is exit code %i with %i calls', async (typed, code, calls) => {
    const run = await runCliHere(['purge', '42'], {
      typed,
      answer: () => ({ id: 42, purged: true, rewritten: [], purged_with: [] }),
    });
    expect(run.stderr).toContain('Erase for good: 42?');
    expect(run.code).toBe(code);
    expect(run.calls).toHaveLength(calls);
    expect(run.stdout).toBe(calls === 1 ? 'Erased #42 for good.\n' : '');
  });
});

describe('loci fact', () => {
  it.each([
    [
      ['save', 'technical', 'ci_host', 'a value', '--confidence', '95'],
      { action: 'save', category: 'technical', key: 'ci_host', value: 'a value', confidence: '95' },
    ],
    [
      ['save', 'technical', 'disk', 'x', '--expires-days', '7'],
      { action: 'save', category: 'technical', key: 'disk', value: 'x', expires_days: '7' },
    ],
    [['search', 'which machine'], { action: 'search', query: 'which machine' }],
    [['forget', 'ci_host', '--yes'], { action: 'forget', key: 'ci_host' }],
    [['forget', 'technical', 'ci_host', '--yes'], { action: 'forget', category: 'technical', key: 'ci_host' }],
    [
      ['forget', 'ci_host', '--category', 'technical', '--yes'],
      { action: 'forget', category: 'technical', key: 'ci_host' },
    ],
    [['list'], { action: 'list' }],
  ])('%j calls the operation memory', async (args, input) => {
    expect((await call(['fact', ...args])).calls).toEqual([{ operation: 'memory', input }]);
  });

  it('forgets two keys in two calls when the first is no category', async () => {
    const run = await call(['fact', 'forget', 'a_key', 'b_key', '--yes']);
    expect(run.calls.map(({ input }) => input.key)).toEqual(['a_key', 'b_key']);
  });
});

describe('usage', () => {
  it.each([
    [['bogus'], "error: unknown command 'bogus'"],
    [['get'], "error: missing required argument 'id'"],
    [['search', 'two', 'words'], 'error: too many arguments'],
    [['revert', '1'], 'error: required option'],
    [['fact'], 'Usage: loci fact'],
    [['search', 'q', '--depth'], 'argument missing'],
  ])('%j is exit code 2 with a sentence on stderr and nothing on stdout', async (args, message) => {
    const run = await runCliHere(args);
    expect(run).toMatchObject({ code: 2, stdout: '', calls: [] });
    expect(run.stderr).toContain(message);
  });

  it('flags of every command may stand before the command or after it', async () => {
    for (const args of [
      ['--json', 'stats'],
      ['stats', '--json'],
    ]) {
      const run = await runCliHere(args, { answer: () => ({ a: 1 }) });
      expect(run.stdout).toBe('{"a":1}\n');
    }
  });

  it('loci alone shows the help', async () => {
    const run = await runCliHere([]);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain('Usage: loci <command>');
  });
});
