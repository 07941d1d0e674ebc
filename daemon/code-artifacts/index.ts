// The door of the code artifacts room: snippets worth using again.
export { type CodeArtifact, codeArtifactKind } from './code-artifact.ts';
export { codeArtifactOperations } from './code-artifacts.operations.ts';
