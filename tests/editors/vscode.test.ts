import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createMemoryClient } from '#clients/editors/vscode/memory-client.ts';
import { memoryText, statusText } from '#clients/editors/vscode/memory-text.ts';
import { openConnection } from '#clients/editors/vscode/open-connection.ts';
import { pathBelow, placeText } from '#clients/editors/vscode/placed-text.ts';
import { readPageMessage, searchPage } from '#clients/editors/vscode/search-page.ts';
import { homeIn, pidOf, startProcess, untilUp } from '../support/daemon-process.ts';
import { readZip } from '../support/read-zip.ts';
import { connectTo, locid } from '../support/real-daemon.ts';
import { root } from '../support/source-tree.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createHost, type Host, loadExtension } from '../support/vscode-host.ts';

const vsix = join(root, 'dist/loci-vscode.vsix');

describe('the package', () => {
  it('holds what VS Code looks for, and its manifest names files that are there', () => {
    const entries = readZip(vsix);
    expect([...entries.keys()].slice(0, 4)).toEqual([
      '[Content_Types].xml',
      'extension.vsixmanifest',
      'extension/package.json',
      'extension/extension.cjs',
    ]);
    const manifest = JSON.parse(entries.get('extension/package.json')?.toString() ?? '');
    expect(entries.has(`extension/${manifest.main.replace('./', '')}`)).toBe(true);
    expect(entries.has(`extension/${manifest.contributes.viewsContainers.activitybar[0].icon}`)).toBe(true);
    expect(entries.get('extension.vsixmanifest')?.toString()).toContain(`Version="${manifest.version}"`);
  });
});

describe('its logic', () => {
  it('a selection is placed by the path below its folder and the lines as people count them', () => {
    const piece = {
      text: 'x',
      file: '/w/shop/src/pay.ts',
      folder: '/w/shop',
      firstLine: 3,
      lastLine: 8,
      language: 'typescript',
    };
    expect(placeText(piece)).toEqual({ text: 'x', path: 'src/pay.ts', lines: 'lines 4–9', language: 'typescript' });
    expect(placeText({ ...piece, lastLine: 3 }).lines).toBe('line 4');
  });

  it('a file that is in no folder of the workspace has no path worth keeping', () => {
    expect(pathBelow('/w/shop', '/etc/passwd')).toBeNull();
    expect(pathBelow('/w/shop', '/w/shop-old/a.ts')).toBeNull();
    expect(pathBelow(null, '/w/a.ts')).toBeNull();
  });

  it('the page runs only its own script and takes no memory as HTML', () => {
    const page = searchPage('abc123', 'vscode-resource:');
    expect(page).toContain(`default-src 'none'`);
    expect(page).toContain(`script-src 'nonce-abc123'`);
    expect(page).not.toMatch(/innerHTML|onclick=/);
  });

  it('of what the page says only searches and ids are heard', () => {
    expect(readPageMessage({ kind: 'search', query: '  kiln ' })).toEqual({ kind: 'search', query: 'kiln' });
    expect(readPageMessage({ kind: 'open', id: 4 })).toEqual({ kind: 'open', id: 4 });
    for (const other of [
      null,
      'search',
      { kind: 'search', query: ' ' },
      { kind: 'open', id: '4' },
      { kind: 'purge', id: 4 },
    ]) {
      expect(readPageMessage(other)).toBeNull();
    }
  });

  it('the status bar tells a memory that works, one that works in part, and none', () => {
    expect(statusText({ status: 'ok', why: null }).tooltip).toContain('works');
    expect(statusText({ status: 'degraded', why: 'Only 5 MB are free.' }).tooltip).toBe('Only 5 MB are free.');
    expect(statusText(null).tooltip).toContain('loci start');
  });

  it('a memory is shown with its files', () => {
    const memory = {
      id: 4,
      title: 'Kiln',
      type: 'fact',
      project: null,
      content: 'hot',
      files: ['a.ts'],
      updatedAt: '2026-11-30T09:00:00Z',
      score: 1,
    };
    expect(memoryText(memory)).toBe('# Kiln\n\n#4 · fact · 2026-11-30\n\nhot\n\nFiles: `a.ts`\n');
  });
});

describe('with a daemon', () => {
  it('the memories about a file are those that name it', async () => {
    const home = homeIn(tempFolder());
    const client = createMemoryClient(() => connectTo(home));
    const place = { path: 'src/kiln/ledger.ts', lines: 'line 1', language: 'typescript' };
    await client.save({ ...place, text: 'The ledger rounds half to even.' }, '');
    await client.save({ ...place, path: 'src/ovens.ts', text: 'Ovens keep a ledger of their own.' }, '');
    expect((await client.aboutFile('src/kiln/ledger.ts')).map(({ content }) => content)).toEqual([
      'The ledger rounds half to even.',
    ]);
    expect((await client.search('how does the ledger round'))[0]?.content).toBe('The ledger rounds half to even.');
  });

  it('that is down is started by what it recorded of itself, and by nothing else', async () => {
    const home = homeIn(tempFolder());
    const unknown = openConnection(home.env, '', null);
    await expect(unknown.call('memory_sync', {})).rejects.toMatchObject({ details: { reachable: false } });
    await unknown.close();
    expect(await pidOf(home)).toBeNull();
    const daemon = startProcess(locid, home.env);
    await untilUp(home);
    daemon.child.kill('SIGTERM');
    await daemon.exited;
    const known = openConnection(home.env, '', null);
    onTestFinished(() => known.close());
    expect(await known.call('memory_sync', {})).toMatchObject({ stats: { active: 0 } });
  });
});

describe('activated in a host', () => {
  let host: Host;
  let folder: string;

  beforeEach(async () => {
    const home = homeIn(tempFolder());
    startProcess(locid, home.env);
    await untilUp(home);
    folder = join(tempFolder(), 'shop');
    mkdirSync(folder);
    host = createHost(folder, { home: home.folder });
    const extension = loadExtension(readZip(vsix).get('extension/extension.cjs')?.toString() ?? '', host);
    const subscriptions: { dispose(): void }[] = [];
    extension.activate({ subscriptions });
    onTestFinished(() => {
      for (const one of subscriptions) one.dispose();
      extension.deactivate();
    });
  });

  const run = (id: string, ...args: unknown[]) => host.commands.get(id)?.(...args);

  it('every command and view of the manifest is registered, and the status bar shows', async () => {
    const { contributes } = JSON.parse(readZip(vsix).get('extension/package.json')?.toString() ?? '');
    expect([...host.commands.keys()].sort()).toEqual(
      contributes.commands.map(({ command }: { command: string }) => command).sort(),
    );
    expect([...host.panels.keys(), ...host.trees.keys()]).toEqual(
      contributes.views.loci.map(({ id }: { id: string }) => id),
    );
    expect(host.statusBar.isShown).toBe(true);
    await expect.poll(() => host.statusBar.tooltip, { timeout: 15_000 }).toContain('Memory works');
    await run('loci.search');
    expect(host.executed).toEqual(['loci.search.focus']);
  });

  it('a selection is saved with its file, is found about that file, and is opened', async () => {
    host.open({ file: join(folder, 'src/pay.ts'), text: 'const fee = amount * 0.02;', firstLine: 3, lastLine: 3 });
    host.answer = 'The fee is two per cent by contract.';
    await run('loci.saveSelection');
    expect(host.shown).toEqual([{ kind: 'info', text: 'Saved as #1.' }]);
    const tree = host.trees.get('loci.file');
    const [memory] = (await tree?.getChildren()) ?? [];
    const item = tree?.getTreeItem(memory);
    expect(item?.label).toContain('The fee is two per cent');
    await run('loci.openMemory', ...(item?.command?.arguments ?? []));
    expect(host.shown.at(-1)?.text).toContain('const fee = amount * 0.02;');
    expect(host.shown.at(-1)?.text).toContain('Files: `src/pay.ts`');
    host.open({ file: join(folder, 'src/other.ts'), text: '', firstLine: 0, lastLine: 0 });
    expect(host.refreshed()).toBe(2);
    expect(await tree?.getChildren()).toEqual([]);
  });

  it('Escape saves nothing; an empty selection is told', async () => {
    host.open({ file: join(folder, 'a.ts'), text: 'x', firstLine: 0, lastLine: 0 });
    host.answer = undefined;
    await run('loci.saveSelection');
    expect(host.shown).toEqual([]);
    host.open({ file: join(folder, 'a.ts'), text: '', firstLine: 0, lastLine: 0 });
    await run('loci.saveSelection');
    expect(host.shown[0]?.text).toContain('Select what is to be remembered');
  });

  it('a refusal of the daemon is shown in its own words', async () => {
    await run('loci.openMemory', 404);
    expect(host.shown).toMatchObject([{ kind: 'error', text: expect.stringMatching(/404/) }]);
  });

  it('the panel searches and answers the page', async () => {
    host.open({ file: join(folder, 'a.ts'), text: 'The kiln is fired on Tuesdays.', firstLine: 0, lastLine: 0 });
    await run('loci.saveSelection');
    const sent: { memories: { title: string }[] }[] = [];
    let hear: (message: unknown) => unknown = () => undefined;
    const webview = {
      html: '',
      options: {},
      cspSource: 'vscode-resource:',
      onDidReceiveMessage(listener: typeof hear) {
        hear = listener;
      },
      postMessage: async (message: (typeof sent)[number]) => sent.push(message),
    };
    host.panels.get('loci.search')?.resolveWebviewView({ webview });
    expect(webview).toMatchObject({
      options: { enableScripts: true },
      html: expect.stringContaining('<!DOCTYPE html>'),
    });
    await hear({ kind: 'search', query: 'when is the kiln fired' });
    expect(sent[0]?.memories[0]?.title).toBe('The kiln is fired on Tuesdays.');
    await hear({ kind: 'evil' });
    expect(sent).toHaveLength(1);
  });
});
