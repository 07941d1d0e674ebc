// The graph between the reader thread and the rooms: kinds, ids and columns, never what they mean.

export type NodeKey = { readonly kind: string; readonly id: number };

/** A node's row: the columns that node-sources.ts names for its kind, as SQLite has them (times in ms, lists as JSON text). */
export type NodeRow = NodeKey & { readonly columns: Readonly<Record<string, string | number | null>> };

/** A tie between two things. `from` and `to` are of the kinds of `type`, in its order: `memory_skill` goes from a memory to a skill. */
export type EdgeRow = {
  readonly type: string;
  readonly from: NodeKey;
  readonly to: NodeKey;
  /** The row of a relationship between entities. */
  readonly columns?: Readonly<Record<string, string | number | null>>;
};

/** A whole answer: no edge without both its ends. */
export type GraphRows = { readonly nodes: readonly NodeRow[]; readonly edges: readonly EdgeRow[] };

export type GraphPageQuestion = {
  readonly userId: number;
  readonly kinds: readonly string[];
  readonly projectId: number | null;
  /** A page of memories: how they are sorted, and which. */
  readonly sortBy: 'created_at' | 'updated_at' | 'importance';
  readonly ascending: boolean;
  readonly limit: number;
  readonly offset: number;
  /** Most nodes of all kinds together. */
  readonly maxNodes: number;
  readonly nowMs: number;
};

export type GraphPageAnswer = GraphRows & {
  /** Live memories of the scope. */
  readonly memories: number;
  /** Other kinds had more than the answer could take. */
  readonly truncated: boolean;
};

export type GraphAroundQuestion = {
  readonly userId: number;
  readonly center: NodeKey;
  readonly depth: number;
  readonly kinds: readonly string[];
  readonly maxNodes: number;
  readonly nowMs: number;
};

/** `nodes` nearest first. Null where the centre is not the user's. */
export type GraphAroundAnswer =
  | (Omit<GraphRows, 'nodes'> & {
      readonly nodes: readonly (NodeRow & { readonly depth: number })[];
      readonly truncated: boolean;
    })
  | null;

export type EntityPageQuestion = {
  readonly userId: number;
  /** A part of a name, folded; null for all. */
  readonly text: string | null;
  readonly entityType: string | null;
  /** Folded; any of them. */
  readonly tagKeys: readonly string[];
  /** Any of them; null for all. */
  readonly projectIds: readonly number[] | null;
  readonly limit: number;
  readonly offset: number;
};

/** A thing, and which of its passages was found. */
export type PassageKey = NodeKey & { readonly passage: number | null };

/** A found thing with its projects and, where the place of the passage is kept, the headings above it and its beginning. */
export type FoundNode = NodeRow & {
  readonly projectIds: readonly number[];
  readonly place: { readonly headings: readonly string[]; readonly excerpt: string } | null;
};
