// What a token may be granted, as words: everything (`*`), the whole store (`admin`), reading or writing all kinds of things, or one.

/** The kinds of things that a scope can name. */
export const thingScopes = [
  'users',
  'memories',
  'projects',
  'code_artifacts',
  'documents',
  'entities',
  'plans',
  'tasks',
  'files',
  'skills',
  'activity',
] as const;

export type ThingScope = (typeof thingScopes)[number];

/** Every word that means something; any other is ignored where a token holds it, and refused where a token is made. */
export const scopeWords: readonly string[] = [
  '*',
  'read',
  'write',
  'admin',
  ...thingScopes.flatMap((kind) => [`read:${kind}`, `write:${kind}`]),
];
