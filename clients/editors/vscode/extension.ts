// The only file that knows VS Code: it wires commands, panel, tree and status bar to what the other files do.
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Connection } from '#clients/connect/connection.ts';
import { createMemoryClient, type FoundMemory, type MemoryClient } from './memory-client.ts';
import { memoryText, statusText } from './memory-text.ts';
import { openConnection } from './open-connection.ts';
import { pathBelow, placeText } from './placed-text.ts';
import { readPageMessage, searchPage } from './search-page.ts';

const healthEveryMs = 60_000;

export function activate({ subscriptions }: vscode.ExtensionContext): void {
  const { connection, dispose } = connections();
  const client = createMemoryClient(connection);
  subscriptions.push({ dispose }, ...fileTree(client), ...statusBar(client));
  subscriptions.push(
    vscode.window.registerWebviewViewProvider('loci.search', {
      resolveWebviewView: (view) => searchPanel(view, client),
    }),
    vscode.commands.registerCommand('loci.search', () => vscode.commands.executeCommand('loci.search.focus')),
    vscode.commands.registerCommand('loci.saveSelection', () => told(saveSelection(client))),
    vscode.commands.registerCommand('loci.openMemory', (id: number) => told(openMemory(client, id))),
  );
}

export function deactivate(): void {
  // what was subscribed is disposed of by the host
}

/** One connection a folder: the daemon finds the project by it. */
function connections() {
  const open = new Map<string, Connection>();
  return {
    connection(): Connection {
      const folder = workspaceFolder();
      const home = String(vscode.workspace.getConfiguration('loci').get('home') ?? '');
      const key = JSON.stringify([home, folder]);
      const known = open.get(key) ?? openConnection(process.env, home, folder);
      open.set(key, known);
      return known;
    },
    dispose: () => void Promise.all([...open.values()].map((one) => one.close())),
  };
}

function workspaceFolder(): string | null {
  const editor = vscode.window.activeTextEditor;
  const of = editor === undefined ? undefined : vscode.workspace.getWorkspaceFolder(editor.document.uri);
  return (of ?? vscode.workspace.workspaceFolders?.[0])?.uri.fsPath ?? null;
}

function searchPanel({ webview }: vscode.WebviewView, client: MemoryClient): void {
  webview.options = { enableScripts: true };
  webview.onDidReceiveMessage(async (raw) => {
    const message = readPageMessage(raw);
    if (message?.kind === 'open') await told(openMemory(client, message.id));
    if (message?.kind !== 'search') return;
    const answer = await client.search(message.query).then(
      (memories) => ({ memories }),
      (error: unknown) => ({ memories: [], problem: sentence(error) }),
    );
    await webview.postMessage(answer);
  });
  webview.html = searchPage(randomBytes(16).toString('hex'), webview.cspSource);
}

async function saveSelection(client: MemoryClient): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || editor.selection.isEmpty) {
    await vscode.window.showInformationMessage('Select what is to be remembered first.');
    return;
  }
  const { document, selection } = editor;
  const why = await vscode.window.showInputBox({
    prompt: 'What should be remembered about it?',
    placeHolder: 'A sentence, or nothing to save the text as it is',
  });
  if (why === undefined) return; // Escape
  const placed = placeText({
    text: document.getText(selection),
    file: document.uri.fsPath,
    folder: vscode.workspace.getWorkspaceFolder(document.uri)?.uri.fsPath ?? null,
    firstLine: selection.start.line,
    lastLine: selection.end.line,
    language: document.languageId,
  });
  await vscode.window.showInformationMessage(await client.save(placed, why.trim()));
}

async function openMemory(client: MemoryClient, id: number): Promise<void> {
  const content = memoryText(await client.get(id));
  const document = await vscode.workspace.openTextDocument({ content, language: 'markdown' });
  await vscode.window.showTextDocument(document, { preview: true });
}

function fileTree(client: MemoryClient): vscode.Disposable[] {
  const changed = new vscode.EventEmitter<undefined>();
  const refresh = () => changed.fire(undefined);
  const tree = {
    onDidChangeTreeData: changed.event,
    getTreeItem(memory: FoundMemory) {
      const item = new vscode.TreeItem(memory.title);
      item.description = memory.type;
      item.tooltip = memory.content;
      item.command = { command: 'loci.openMemory', title: 'Open', arguments: [memory.id] };
      return item;
    },
    async getChildren(memory?: FoundMemory): Promise<FoundMemory[]> {
      const path = memory === undefined ? openFile() : null;
      return path === null ? [] : client.aboutFile(path).catch(() => []); // the status bar says why nothing is shown
    },
  };
  return [
    changed,
    vscode.window.registerTreeDataProvider('loci.file', tree),
    vscode.window.onDidChangeActiveTextEditor(refresh),
    vscode.commands.registerCommand('loci.refreshFile', refresh),
  ];
}

/** The file in the editor, below its workspace folder. */
function openFile(): string | null {
  const uri = vscode.window.activeTextEditor?.document.uri;
  if (uri === undefined || uri.scheme !== 'file') return null;
  return pathBelow(vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? null, uri.fsPath);
}

function statusBar(client: MemoryClient): vscode.Disposable[] {
  const alignRight = 2;
  const item = vscode.window.createStatusBarItem(alignRight, 10);
  item.command = 'loci.search';
  const look = async () => Object.assign(item, statusText(await client.health().catch(() => null)));
  const timer = setInterval(look, healthEveryMs);
  void look();
  item.show();
  return [item, { dispose: () => clearInterval(timer) }];
}

/** Shows what went wrong; a command has nobody else to tell. */
async function told(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    await vscode.window.showErrorMessage(sentence(error));
  }
}

function sentence(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong: run `loci doctor`.';
}
