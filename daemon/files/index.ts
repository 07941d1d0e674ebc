// The door of the files room: bytes with a name.
export { fileKind } from './file.ts';
export { keepBytes } from './file-contents.repository.ts';
export { fileOperations } from './files.operations.ts';
