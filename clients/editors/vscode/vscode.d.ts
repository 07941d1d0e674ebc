// The part of VS Code's API that the extension uses, so that it is type-checked without the editor's own package of types. The host brings
// the module itself.
declare module 'vscode' {
  export type Disposable = { dispose(): void };
  export type Uri = { readonly scheme: string; readonly fsPath: string };
  export type Position = { readonly line: number };
  export type Range = { readonly start: Position; readonly end: Position; readonly isEmpty: boolean };
  export type TextDocument = {
    readonly uri: Uri;
    readonly languageId: string;
    getText(range?: Range): string;
  };
  export type TextEditor = { readonly document: TextDocument; readonly selection: Range };
  export type WorkspaceFolder = { readonly uri: Uri; readonly name: string };
  export type Event<T> = (listener: (value: T) => void) => Disposable;
  export type Webview = {
    html: string;
    options: { readonly enableScripts: boolean };
    readonly cspSource: string;
    readonly onDidReceiveMessage: Event<unknown>;
    postMessage(message: unknown): PromiseLike<boolean>;
  };
  export type WebviewView = { readonly webview: Webview };
  export type StatusBarItem = Disposable & {
    text: string;
    tooltip: string;
    command: string;
    show(): void;
  };
  export class EventEmitter<T> {
    readonly event: Event<T>;
    fire(value: T): void;
    dispose(): void;
  }
  export class TreeItem {
    constructor(label: string);
    description?: string;
    tooltip?: string;
    command?: { readonly command: string; readonly title: string; readonly arguments: readonly unknown[] };
  }
  export type ExtensionContext = { readonly subscriptions: Disposable[] };

  export const window: {
    readonly activeTextEditor: TextEditor | undefined;
    readonly onDidChangeActiveTextEditor: Event<TextEditor | undefined>;
    createStatusBarItem(alignment: number, priority: number): StatusBarItem;
    registerWebviewViewProvider(id: string, provider: { resolveWebviewView(view: WebviewView): void }): Disposable;
    registerTreeDataProvider<T>(
      id: string,
      provider: {
        readonly onDidChangeTreeData: Event<undefined>;
        getTreeItem(element: T): TreeItem;
        getChildren(element?: T): PromiseLike<T[]> | T[];
      },
    ): Disposable;
    showInformationMessage(message: string): PromiseLike<string | undefined>;
    showErrorMessage(message: string): PromiseLike<string | undefined>;
    showInputBox(options: { readonly prompt: string; readonly placeHolder: string }): PromiseLike<string | undefined>;
    showTextDocument(document: TextDocument, options: { readonly preview: boolean }): PromiseLike<unknown>;
  };
  export const workspace: {
    readonly workspaceFolders: readonly WorkspaceFolder[] | undefined;
    getWorkspaceFolder(uri: Uri): WorkspaceFolder | undefined;
    getConfiguration(section: string): { get(key: string): unknown };
    openTextDocument(content: { readonly content: string; readonly language: string }): PromiseLike<TextDocument>;
    readonly onDidChangeConfiguration: Event<{ affectsConfiguration(section: string): boolean }>;
  };
  export const commands: {
    registerCommand(id: string, run: (...args: never[]) => unknown): Disposable;
    executeCommand(id: string): PromiseLike<unknown>;
  };
}
