// The door of the documents room: long texts, kept whole and found by their passages.
export { documentKind } from './document.ts';
export { documentOperations } from './documents.operations.ts';
