// What turns text into a vector. The rest of the house knows this interface alone; providers stand beside it.

/** Who is served first when several texts wait: a search, then a save, then bulk and background work. */
export type Lane = 'query' | 'save' | 'bulk';

/** `passage` is stored text; `query` is a question, which some models want prefixed. Stored text is compared with stored text by `passage`. */
export type EmbeddingPurpose = 'passage' | 'query';

export type EmbedOptions = {
  readonly lane: Lane;
  readonly purpose: EmbeddingPurpose;
  readonly signal?: AbortSignal | undefined;
};

export type EmbedderState = { readonly status: 'ok' | 'degraded' | 'down'; readonly why?: string };

/** A text in passages, and the vector of the first. */
export type FirstPassage = { readonly passages: readonly string[]; readonly vector: Float32Array | null };

export type Embedder = {
  /** Names the model, its weights and its prefix version: vectors of different ids are never compared. */
  readonly modelId: string;
  /** Length of every vector; 0 until a model that the program does not know has given its first one. */
  readonly dimensions: number;
  /**
   * One L2-normalised vector of `dimensions` finite float32 for each text, in order; one text a run.
   * `null` for a text that has no direction (the model gave zeros). Throws `unavailable` when the model cannot be used.
   */
  embed(texts: readonly string[], options: EmbedOptions): Promise<(Float32Array | null)[]>;
  /** Splits a text into overlapping passages of at most 256 tokens; a short text is its own single passage. */
  split(text: string): Promise<string[]>;
  /**
   * `split`, and the vector of the first passage, in one turn of the model: what a save waits for. `null` where it has no direction.
   * Throws `unavailable` when the model cannot be used.
   */
  embedFirst(text: string, lane: Lane): Promise<FirstPassage>;
  /** Loads the model if it is not loaded; resolves when it can embed. */
  warm(): Promise<void>;
  state(): EmbedderState;
  close(): Promise<void>;
};

/** `embedFirst` in two turns, for an embedder whose texts are split elsewhere. */
export async function splitThenEmbed(
  embedder: Pick<Embedder, 'embed' | 'split'>,
  text: string,
  lane: Lane,
): Promise<FirstPassage> {
  const passages = await embedder.split(text);
  const [vector = null] = await embedder.embed([passages[0] ?? text], { lane, purpose: 'passage' });
  return { passages, vector };
}
