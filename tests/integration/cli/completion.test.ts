// In the real shells: each completes what a person has typed, and the test reads what it offers or writes.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCliHere } from '../../support/run-cli.ts';
import { tempFolder } from '../../support/temp-folder.ts';

type Shell = { readonly name: string; readonly offers: (script: string, typed: string) => string[] };

const env = { PATH: process.env.PATH, HOME: '/nonexistent', TERM: 'dumb', LANG: 'C.UTF-8' };

const bash: Shell = {
  name: 'bash',
  offers(script, typed) {
    const words = typed.split(' ').map((word) => `'${word}'`);
    const program = `source "$0"; COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _loci; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return lines(run('bash', ['--norc', '-c', program, script]));
  },
};

const fish: Shell = {
  name: 'fish',
  offers(script, typed) {
    const home = tempFolder();
    const shown = run('fish', ['--no-config', '-c', `source $argv[1]; complete -C $argv[2]`, script, typed], home);
    return lines(shown).map((line) => line.split('\t')[0] ?? '');
  },
};

/** zsh completes only for a person: one is played over a pseudo-terminal, and the line as it stands after Tab is written to a file. */
const zsh: Shell = {
  name: 'zsh',
  offers(script, typed) {
    const folder = tempFolder();
    const [out, rc] = [join(folder, 'line'), join(folder, 'rc')];
    writeFileSync(
      rc,
      `autoload -Uz compinit; compinit -u -D; source '${script}'; PS1='> '; setopt no_beep
tell() { print -r -- "$BUFFER" > '${out}'; exit }; zle -N tell; bindkey '^I' complete-word; bindkey '^T' tell; print READY\n`,
    );
    const program = `zmodload zsh/zpty; zpty z env TERM=dumb HOME='${folder}' zsh -f -i; zpty -w z "source '${rc}'"
zpty -r -m z seen '*READY*'; zpty -w -n z "$1"$'\\t\\x14'
for ((tries = 0; tries < 200; tries++)); do [[ -s $2 ]] && break; sleep 0.05; done; zpty -d z`;
    run('zsh', ['-f', '-c', program, 'zsh', typed, out], folder);
    return lines(readFileSync(out, 'utf8')).map((line) => line.trimEnd());
  },
};

function run(shell: string, args: readonly string[], home = env.HOME): string {
  const done = spawnSync(shell, args, { env: { ...env, HOME: home }, encoding: 'utf8', timeout: 20_000 });
  expect(done.stderr, shell).toBe('');
  return done.stdout;
}

function lines(text: string): string[] {
  return text.split('\n').filter(Boolean);
}

async function scriptFor(shell: string): Promise<string> {
  const made = await runCliHere(['completion', shell]);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  const file = join(tempFolder(), `completion.${shell}`);
  writeFileSync(file, made.stdout);
  return file;
}

function isInstalled({ name }: Shell): boolean {
  return spawnSync(name, ['-c', 'exit 0']).status === 0;
}

describe.each([bash, fish].filter(isInstalled))('completion in $name', (shell) => {
  it('offers commands, then the commands of a group, also past flags and their values', async () => {
    const script = await scriptFor(shell.name);
    expect(shell.offers(script, 'loci ')).toEqual(expect.arrayContaining(['add', 'search', 'service', 'completion']));
    expect(shell.offers(script, 'loci --home /srv/x --json fact ').sort()).toEqual([
      'forget',
      'list',
      'save',
      'search',
    ]);
    expect(shell.offers(script, 'loci serv')).toEqual(['serve', 'service']);
  });

  it('offers the flags of the command that stands there, and those of every command', async () => {
    const script = await scriptFor(shell.name);
    const flags = shell.offers(script, 'loci search --');
    expect(flags).toEqual(expect.arrayContaining(['--project', '--explain', '--json', '--home', '--help']));
    expect(flags).not.toContain('--follow');
    expect(shell.offers(script, 'loci logs --fo')).toEqual(['--follow']);
  });

  it('offers what a flag or an argument can be, and nothing for free text', async () => {
    const script = await scriptFor(shell.name);
    expect(shell.offers(script, 'loci add note --type d')).toEqual(expect.arrayContaining(['decision']));
    expect(shell.offers(script, 'loci save note --type d')).toEqual(shell.offers(script, 'loci add note --type d'));
    expect(shell.offers(script, 'loci completion ').sort()).toEqual(['bash', 'fish', 'zsh']);
    expect(shell.offers(script, 'loci call memory_sea')).toEqual(['memory_search']);
    expect(shell.offers(script, 'loci search --project sto')).toEqual([]);
  });
});

describe.runIf(isInstalled(zsh))('completion in zsh', () => {
  it('completes commands, flags and values', async () => {
    const script = await scriptFor('zsh');
    expect(zsh.offers(script, 'loci servic')).toEqual(['loci service']);
    expect(zsh.offers(script, 'loci --json service ins')).toEqual(['loci --json service install']);
    expect(zsh.offers(script, 'loci logs --fol')).toEqual(['loci logs --follow']);
    expect(zsh.offers(script, 'loci save note --type dec')).toEqual(['loci save note --type decision']);
    expect(zsh.offers(script, 'loci call memory_sea')).toEqual(['loci call memory_search']);
  }, 60_000);
});

it('a shell that is not known is bad input', async () => {
  expect(await runCliHere(['completion', 'tcsh'])).toMatchObject({ code: 2 });
});
