import fc from 'fast-check';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import type { TableEdit } from '#clients/agents/edits/edit.ts';
import { placeTable, takeOutTable } from '#clients/agents/edits/toml-edits.ts';
import { tomlStatements } from '#clients/agents/edits/toml-statements.ts';

const edit: TableEdit = {
  kind: 'table',
  role: 'server',
  file: 'config.toml',
  path: ['mcp_servers', 'loci'],
  value: {
    command: '/opt/My Home $(x) \'q\' "r"/node',
    args: ['/opt/loci.cjs', 'mcp'],
    env: { LOCI_HOME: '/srv/loci' },
    tools: { memory: { approval_mode: 'approve' } },
  },
};

/** Pieces that may stand in any order, each valid by itself; some look like what they are not. */
const pieces = [
  'a = 1 # note\n',
  '# [mcp_servers.loci]\n',
  'text = """\n[mcp_servers.loci]\nx = 1\n"""\n',
  "raw = '''\n[not.a.table]\n'''\n",
  'list = [\n  [1],\n  ["]"], # ]\n]\n',
  'date = 2026-11-30T09:00:00Z\n',
  '"quoted key" = { x = 1, "y z" = [2] }\n',
  '\n',
];
const tables = [
  '[tui]\ntheme = "dark"\n',
  '[mcp_servers.other] # mine\ncommand = "a"\n',
  '[[many]]\nx = 1\n',
  '[z."b.c"]\nx = 1\n',
];
const documents = fc
  .tuple(fc.shuffledSubarray(pieces), fc.shuffledSubarray(tables), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([top, below, eol, isEnded]) => {
    const text = [...top, ...below].join('').replaceAll('\n', eol);
    return isEnded ? text : text.replace(/\r?\n$/, '');
  });

describe('our table', () => {
  it('is put in and taken out; what else is in the file stays, and comments do', () => {
    fc.assert(
      fc.property(documents, (before) => {
        const { text, trace } = placeTable(before, edit, undefined);
        expect(parse(text)).toMatchObject({ ...parse(before), mcp_servers: { loci: edit.value } });
        expect(text.startsWith(before)).toBe(true);
        if (before.includes('\r\n')) expect(text.replaceAll('\r\n', '')).not.toContain('\n');
        expect(placeTable(text, edit, trace).text).toBe(text);
        expect(placeTable(text, edit, undefined).text).toBe(text);
        const out = takeOutTable(text, edit.path, trace);
        expect(out.isOut).toBe(true);
        expect(out.text.trimEnd()).toBe(before.trimEnd());
        expect(
          takeOutTable(`${text}\n[later]\nx = 1\n`, edit.path, trace)
            .text.replace(/\s*\[later\]\nx = 1\n$/, '')
            .trimEnd(),
        ).toBe(before.trimEnd());
      }),
    );
  });

  it('written by hand keeps the keys that are the user’s, and gets them back when ours are taken out', () => {
    const before =
      '[mcp_servers.loci] # by hand\r\ncommand = "old" # note\r\nstartup_timeout_sec = 30\r\n\r\n[mcp_servers.loci.env]\r\nMINE = "1"\r\n\r\n[mcp_servers.loci.tools.memory]\r\napproval_mode = "prompt"\r\n\r\n# next\r\n[tui]\r\nx = { a = 1 }\r\n';
    const { text, trace } = placeTable(before, edit, undefined);
    expect(parse(text)).toEqual({
      mcp_servers: {
        loci: {
          command: edit.value.command,
          args: edit.value.args,
          startup_timeout_sec: 30,
          env: { MINE: '1', LOCI_HOME: '/srv/loci' },
          tools: { memory: { approval_mode: 'prompt' } },
        },
      },
      tui: { x: { a: 1 } },
    });
    expect(text).toContain('# by hand');
    expect(text).toContain('# note');
    expect(text.replaceAll('\r\n', '')).not.toContain('\n');
    expect(takeOutTable(text, edit.path, trace)).toEqual({ text: before, isOut: true });
  });

  it('with an inline env keeps what the user put there', () => {
    const before = '[mcp_servers.loci]\ncommand = "old"\nenv = { MINE = "1" }\n';
    const { text, trace } = placeTable(before, edit, undefined);
    expect(parse(text)).toMatchObject({
      mcp_servers: { loci: { ...edit.value, env: { MINE: '1', LOCI_HOME: '/srv/loci' } } },
    });
    expect(takeOutTable(text, edit.path, trace).text.trimEnd()).toBe(before.trimEnd());
  });

  it('that a person changed after us is not taken out', () => {
    const { text, trace } = placeTable('', edit, undefined);
    const changed = text.replace('[mcp_servers.loci]\n', '[mcp_servers.loci]\nenabled = false\n');
    expect(takeOutTable(changed, edit.path, trace)).toEqual({ text: changed, isOut: false });
    expect(parse(placeTable(changed, edit, trace).text)).toMatchObject({ mcp_servers: { loci: { enabled: false } } });
  });

  it.each([
    'mcp_servers = { loci = { command = "x" } }\n',
    'mcp_servers.loci.command = "x"\n',
    '[mcp_servers]\nloci = { command = "x" }\n',
    'mcp_servers = { other = { command = "x" } }\n',
    'mcp_servers = 3\n',
  ])('is refused where it is written in another form: %s', (text) => {
    expect(() => placeTable(text, edit, undefined)).toThrow(/inline|no place/);
  });
});

describe('statements', () => {
  it('are found past texts and lists that look like headers', () => {
    const text = pieces.join('') + tables.join('');
    const headers = tomlStatements(text).filter(({ kind }) => kind === 'header');
    expect(headers.map(({ path }) => path)).toEqual([['tui'], ['mcp_servers', 'other'], ['many'], ['z', 'b.c']]);
  });
});
