// A host that stands in for VS Code: it loads the packed extension with a `vscode` module that writes down what is registered and shown.
import Module from 'node:module';
import vm from 'node:vm';

type Listener = (value: unknown) => unknown;

export type StubEditor = {
  readonly file: string;
  readonly text: string;
  readonly firstLine: number;
  readonly lastLine: number;
};

export type Shown = { readonly kind: 'info' | 'error' | 'document'; readonly text: string };

type TreeProvider = {
  getChildren(element?: unknown): Promise<readonly { readonly title: string }[]>;
  getTreeItem(element: unknown): {
    readonly label: string;
    readonly command?: { readonly arguments: readonly unknown[] };
  };
};

type PanelProvider = { resolveWebviewView(view: unknown): void };

export type Host = {
  readonly vscode: object;
  readonly commands: Map<string, (...args: unknown[]) => unknown>;
  readonly trees: Map<string, TreeProvider>;
  readonly panels: Map<string, PanelProvider>;
  readonly statusBar: { text: string; tooltip: string; isShown: boolean };
  readonly shown: Shown[];
  readonly executed: string[];
  /** How often the tree of the open file was told to look again. */
  readonly refreshed: () => number;
  open(editor: StubEditor | null): void;
  /** What the person types into the next input box; undefined for Escape. */
  answer: string | undefined;
};

export function createHost(folder: string, settings: Readonly<Record<string, string>>): Host {
  let editor: StubEditor | null = null;
  let refreshes = 0;
  const editorListeners: Listener[] = [];
  const disposable = { dispose: () => undefined };
  const register =
    <T>(map: Map<string, T>) =>
    (id: string, value: T) => {
      map.set(id, value);
      return disposable;
    };
  const folderOf = { uri: { scheme: 'file', fsPath: folder }, name: 'project' };
  const documentOf = ({ file, text }: StubEditor) => ({
    uri: { scheme: 'file', fsPath: file },
    languageId: 'typescript',
    getText: () => text,
  });
  const host: Host = {
    commands: new Map(),
    trees: new Map(),
    panels: new Map(),
    statusBar: { text: '', tooltip: '', isShown: false },
    shown: [],
    executed: [],
    refreshed: () => refreshes,
    answer: '',
    open(next) {
      editor = next;
      for (const listener of editorListeners) listener(undefined);
    },
    vscode: {
      EventEmitter: class {
        listeners: Listener[] = [];
        event = (listener: Listener) => {
          this.listeners.push(listener);
          return disposable;
        };
        fire(value: unknown): void {
          refreshes += 1;
          for (const listener of this.listeners) listener(value);
        }
        dispose(): void {
          this.listeners = [];
        }
      },
      TreeItem: class {
        label: string;
        constructor(label: string) {
          this.label = label;
        }
      },
      window: {
        get activeTextEditor() {
          if (editor === null) return undefined;
          const { text, firstLine, lastLine } = editor;
          const selection = { start: { line: firstLine }, end: { line: lastLine }, isEmpty: text === '' };
          return { document: documentOf(editor), selection };
        },
        onDidChangeActiveTextEditor(listener: Listener) {
          editorListeners.push(listener);
          return disposable;
        },
        createStatusBarItem: () =>
          Object.assign(host.statusBar, {
            show: () => {
              host.statusBar.isShown = true;
            },
            dispose: () => undefined,
          }),
        registerWebviewViewProvider: (id: string, provider: PanelProvider) => register(host.panels)(id, provider),
        registerTreeDataProvider: (id: string, provider: TreeProvider) => register(host.trees)(id, provider),
        showInformationMessage: async (text: string) => void host.shown.push({ kind: 'info', text }),
        showErrorMessage: async (text: string) => void host.shown.push({ kind: 'error', text }),
        showInputBox: async () => host.answer,
        showTextDocument: async (document: { text: string }) =>
          void host.shown.push({ kind: 'document', text: document.text }),
      },
      workspace: {
        workspaceFolders: [folderOf],
        getWorkspaceFolder: ({ fsPath }: { fsPath: string }) => (fsPath.startsWith(folder) ? folderOf : undefined),
        getConfiguration: () => ({ get: (key: string) => settings[key] }),
        openTextDocument: async ({ content }: { content: string }) => ({ text: content }),
        onDidChangeConfiguration: () => disposable,
      },
      commands: {
        registerCommand: (id: string, run: (...args: unknown[]) => unknown) => register(host.commands)(id, run),
        executeCommand: async (id: string) => void host.executed.push(id),
      },
    },
  };
  return host;
}

type Extension = { activate(context: { subscriptions: { dispose(): void }[] }): void; deactivate(): void };

/** Loads the extension's one file as the host does: CommonJS, with `vscode` from the host. */
export function loadExtension(code: string, host: Host): Extension {
  const require = Module.createRequire(import.meta.url);
  const module = { exports: {} as Extension };
  const wrapped = vm.runInThisContext(Module.wrap(code), { filename: 'extension.cjs' }) as (...args: unknown[]) => void;
  wrapped(
    module.exports,
    (name: string) => (name === 'vscode' ? host.vscode : require(name)),
    module,
    'extension.cjs',
    '.',
  );
  return module.exports;
}
