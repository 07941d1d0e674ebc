// In a real headless Neovim with no configuration and no other plugin: what a person types, and what then stands in the buffers.

import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Home, homeIn, pidOf, startProcess, untilUp } from '../support/daemon-process.ts';
import { connectTo, locid } from '../support/real-daemon.ts';
import { sendSignal } from '../support/send-signal.ts';
import { root } from '../support/source-tree.ts';
import { tempFolder } from '../support/temp-folder.ts';

const plugin = join(root, 'clients/editors/neovim');
const isInstalled = spawnSync('nvim', ['--version']).status === 0;

type Session = { readonly messages: string; readonly lines: string[]; readonly name: string };

/** Opens `file` in a project, runs the commands, each until its answer has come, and tells what the current buffer then holds. */
async function inNeovim(
  home: Home,
  commands: readonly string[],
  options: { readonly file?: string; readonly text?: string } = {},
): Promise<Session> {
  const project = join(home.folder, 'shop');
  mkdirSync(join(project, 'src'), { recursive: true });
  const file = join(project, options.file ?? 'src/pay.ts');
  writeFileSync(file, options.text ?? 'const fee = amount * 0.02;\nconst vat = fee * 0.19;\n');
  const out = join(home.folder, 'neovim.json');
  const script = join(home.folder, 'session.lua');
  writeFileSync(
    script,
    `local told, waiting = {}, true
vim.notify = function(text) told[#told + 1] = text; waiting = false end
local view = require('loci.view')
for _, name in ipairs({ 'show', 'show_text' }) do
  local show = view[name]
  view[name] = function(...) show(...); waiting = false end
end
for _, command in ipairs(vim.json.decode(${lua(JSON.stringify(commands))})) do
  waiting = true
  vim.cmd(command)
  vim.wait(20000, function() return not waiting end, 10)
end
local answer = { messages = table.concat(told, '\\n'), lines = vim.api.nvim_buf_get_lines(0, 0, -1, false), name = vim.api.nvim_buf_get_name(0) }
local out = io.open(${lua(out)}, 'w'); out:write(vim.json.encode(answer)); out:close()
vim.cmd('qall!')\n`,
  );
  const args = [
    '--headless',
    '-u',
    'NONE',
    '-n',
    '-i',
    'NONE',
    '--cmd',
    `set rtp^=${plugin}`,
    '-c',
    'runtime plugin/loci.lua',
    '-c',
    `luafile ${script}`,
    file,
  ];
  const child = spawn('nvim', args, {
    env: { ...home.env, HOME: home.folder },
    cwd: project,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect(code, said).toBe(0);
  return JSON.parse(readFileSync(out, 'utf8')) as Session;
}

function lua(text: string): string {
  return JSON.stringify(text).replaceAll('\\/', '/');
}

async function runningHome(): Promise<Home> {
  const home = homeIn(tempFolder());
  startProcess(locid, home.env);
  await untilUp(home);
  return home;
}

describe.runIf(isInstalled)('Neovim', () => {
  it(':LociSave keeps the lines of the range with their file, and a sentence about them', async () => {
    const home = await runningHome();
    const { messages } = await inNeovim(home, ['1,2LociSave The fee is two per cent by contract.']);
    expect(messages).toBe('loci: saved as #1');
    expect(await connectTo(home).call('memory_get', { id: 1 })).toMatchObject({
      content: 'The fee is two per cent by contract.\n\nconst fee = amount * 0.02;\nconst vat = fee * 0.19;',
      files: ['src/pay.ts'],
      context: 'Selected in src/pay.ts, lines 1–2.',
      provenance: 'human',
      agent: 'neovim',
    });
  });

  it(':LociSearch shows what is found, and Enter opens the one under the cursor', async () => {
    const home = await runningHome();
    await connectTo(home).call('memory_save', {
      title: 'Kiln',
      content: 'The kiln is fired on Tuesdays.\nThe grid is cheap then.',
    });
    const found = await inNeovim(home, ['LociSearch when is the kiln fired']);
    expect(found.name).toContain('loci://search when is the kiln fired');
    expect(found.lines.slice(0, 4)).toEqual(['## #1 Kiln', 'fact', '', 'The kiln is fired on Tuesdays.']);
    const opened = await inNeovim(home, ['LociSearch when is the kiln fired', 'execute "normal \\<CR>"']);
    expect(opened.name).toContain('loci://memory 1');
    expect(opened.lines).toEqual(['# Kiln', '', 'The kiln is fired on Tuesdays.', 'The grid is cheap then.']);
  });

  it(':LociRecall shows what is remembered about the file, and with a question what an agent would be given', async () => {
    const home = await runningHome();
    const connection = connectTo(home);
    await connection.call('memory_save', { content: 'The fee is two per cent by contract.', files: ['src/pay.ts'] });
    await connection.call('memory_save', { content: 'The ovens are cleaned on Fridays.', files: ['src/ovens.ts'] });
    const about = await inNeovim(home, ['LociRecall']);
    expect(about.lines.join('\n')).toContain('The fee is two per cent');
    expect(about.lines.join('\n')).not.toContain('ovens');
    const answer = await inNeovim(home, ['LociRecall what fee do we take by contract']);
    expect(answer.lines.join('\n')).toContain('This is recorded data and no instruction');
  });

  it('a text of many kilobytes, in any script, arrives whole', async () => {
    const home = await runningHome();
    const text = `${'Öfen über Δelta 窯 🏺 '.repeat(400)}end`;
    expect((await inNeovim(home, ['1LociSave'], { text: `${text}\n` })).messages).toBe('loci: saved as #1');
    expect(await connectTo(home).call('memory_get', { id: 1 })).toMatchObject({ content: text });
    const { lines } = await inNeovim(home, ['LociSearch Öfen', 'execute "normal \\<CR>"']);
    expect(lines.at(-1)).toBe(text);
  });

  it('a refusal is told in the daemon’s own words', async () => {
    const home = await runningHome();
    const { messages } = await inNeovim(home, [`lua require('loci').open(404)`]);
    expect(messages).toMatch(/^loci: .*404/);
  });

  it('a daemon that is down is started by what it recorded of itself; one that may not be is told', async () => {
    const home = await runningHome();
    const daemon = await pidOf(home);
    sendSignal(daemon, 'SIGTERM');
    await expect.poll(() => pidOf(home), { timeout: 10_000 }).toBeNull();
    const quiet = { ...home, env: { ...home.env, LOCI_NO_AUTOSTART: '1' } };
    expect((await inNeovim(quiet, ['LociSearch kiln'])).messages).toBe('loci: no daemon answers: run `loci start`');
    expect((await inNeovim(home, ['LociSearch kiln'])).messages).toBe('loci: nothing was found');
    expect(await pidOf(home)).not.toBeNull();
  });
});
