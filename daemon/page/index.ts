export { type PageDeps, pageOperations } from './page.operations.ts';
export { createPageSessions, type PageSessions } from './sessions.ts';
