// Where an endless answer goes, and what it is to hold. The HTTP adapter makes the sink, the activity room fills it; neither knows the
// other.

/** One open connection that takes text. */
export type EventSink = {
  write(text: string): void;
  /** Bytes that were written and that the reader has not taken yet. */
  unsentBytes(): number;
  /** Settles when the reader has taken everything, or is gone, or after `timeoutMs`. */
  drained(timeoutMs: number): Promise<void>;
  /** Ends the answer in order. */
  end(): void;
  /** Drops the connection with whatever is unsent. */
  cut(): void;
  /** Aborted once the connection is closed, by whichever side. */
  readonly closed: AbortSignal;
};

export type EventStreamRequest = {
  readonly userId: number;
  /** `memory`, `task`, …; null for all. */
  readonly kind: string | null;
  /** One of the five actions of the catalogue; null for all. */
  readonly action: string | null;
  /** The last event the reader has; null for only what is to come. */
  readonly after: number | null;
};

export type OpenEventStream = (request: EventStreamRequest, sink: EventSink) => Promise<void>;
