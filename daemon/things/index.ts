// The door of the things room: what documents, code artifacts and files (and what comes after them) are made of.
export { type AnalysedWords, analyseWords } from './analyse-words.ts';
export { changeThing } from './change-thing.ts';
export { createThing, createThings } from './create-thing.ts';
export type { Passage, Piece } from './cut-pieces.ts';
export { deleteThing } from './delete-thing.ts';
export type { ThingDeps } from './deps.ts';
export { followProject } from './follow-project.ts';
export { file as fileThingOf } from './index-thing.ts';
export type { Columns, SearchRules, ThingKind } from './kind.ts';
export { loggedText } from './logged-text.ts';
export { pendingThing } from './pending-thing.ts';
export { oneOf, oneOrNone, pageOf, requireThing } from './read-things.ts';
export { emptyToNull, given, listOf, tagColumns } from './thing-columns.ts';
export { existingIds, listThings } from './things.repository.ts';
