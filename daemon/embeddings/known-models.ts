// How each model wants to be asked. A wrong prefix or pooling still gives vectors, only worse ones, so nothing would ever tell:
// hence one table, keyed by the model's bare name, and a version of the prefixes in every model id.

export type Pooling = 'cls' | 'mean';

export type ModelTraits = {
  readonly pooling: Pooling;
  readonly queryPrefix: string;
  readonly passagePrefix: string;
  /** Length of the model's vectors; null where only the model knows. */
  readonly dimensions: number | null;
};

/** Moves when a prefix in the table changes: vectors made with other prefixes are not comparable. */
export const prefixVersion = 'p1';

const bgeQuery = 'Represent this sentence for searching relevant passages: ';

const table: Readonly<Record<string, Partial<ModelTraits>>> = {
  'bge-small-en-v1.5': { pooling: 'cls', queryPrefix: bgeQuery, dimensions: 384 },
  'bge-base-en-v1.5': { pooling: 'cls', queryPrefix: bgeQuery, dimensions: 768 },
  'bge-large-en-v1.5': { pooling: 'cls', queryPrefix: bgeQuery, dimensions: 1024 },
  'bge-m3': { pooling: 'cls', dimensions: 1024 },
  'all-minilm-l6-v2': { dimensions: 384 },
  'all-minilm': { dimensions: 384 },
  'e5-small-v2': { queryPrefix: 'query: ', passagePrefix: 'passage: ', dimensions: 384 },
  'e5-base-v2': { queryPrefix: 'query: ', passagePrefix: 'passage: ', dimensions: 768 },
  'multilingual-e5-small': { queryPrefix: 'query: ', passagePrefix: 'passage: ', dimensions: 384 },
  'multilingual-e5-base': { queryPrefix: 'query: ', passagePrefix: 'passage: ', dimensions: 768 },
  'nomic-embed-text': { queryPrefix: 'search_query: ', passagePrefix: 'search_document: ', dimensions: 768 },
  'nomic-embed-text-v1.5': { queryPrefix: 'search_query: ', passagePrefix: 'search_document: ', dimensions: 768 },
  'mxbai-embed-large': { pooling: 'cls', queryPrefix: bgeQuery, dimensions: 1024 },
  'text-embedding-3-small': { dimensions: 1536 },
  'text-embedding-3-large': { dimensions: 3072 },
  'text-embedding-ada-002': { dimensions: 1536 },
};

/** Traits by a model's name, with or without its owner or tag (`BAAI/bge-small-en-v1.5`, `nomic-embed-text:latest`); mean pooling and no prefixes for a stranger. */
export function traitsOf(model: string): ModelTraits {
  const bare = model.split(/[/\\]/).at(-1)?.split(':')[0]?.toLowerCase() ?? '';
  return { pooling: 'mean', queryPrefix: '', passagePrefix: '', dimensions: null, ...table[bare] };
}
