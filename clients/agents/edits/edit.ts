// An edit says what should be in a file, not how to write it. Each kind owns a part of the file that can be told from the rest, so that it
// can be put there twice without harm and be taken out again.

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** What an edit is for, so that the doctor finds the entries that start something. */
export type Role = 'server' | 'hook' | 'text' | 'setting';

type Common = {
  /** Absolute, as the agent names it; links are followed when it is written. */
  readonly file: string;
  readonly role: Role;
};

/** A property of a JSON file (comments and trailing commas allowed). Keys that the user added to the object stay. */
export type ValueEdit = Common & { readonly kind: 'value'; readonly path: readonly string[]; readonly value: Json };

/** A property that is set only where there is none, such as the `version` of a file that we create. */
export type DefaultEdit = Common & { readonly kind: 'default'; readonly path: readonly string[]; readonly value: Json };

/** An element of an array of a JSON file that runs `loci hook`: ours is replaced, else it is appended. */
export type HookEdit = Common & { readonly kind: 'hook'; readonly path: readonly string[]; readonly value: Json };

/** A table of a TOML file with its tables below. */
export type TableEdit = Common & {
  readonly kind: 'table';
  /** `['mcp_servers', 'loci']` */
  readonly path: readonly string[];
  readonly value: { readonly [key: string]: Json };
};

/** A whole file of ours. */
export type FileEdit = Common & { readonly kind: 'file'; readonly text: string };

/** A section between two marker lines of a Markdown file of somebody else. */
export type SectionEdit = Common & { readonly kind: 'section'; readonly text: string };

export type Edit = ValueEdit | DefaultEdit | HookEdit | TableEdit | FileEdit | SectionEdit;
