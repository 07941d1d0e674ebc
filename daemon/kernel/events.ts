// In-process announcements of what has been committed. Only counters, caches and streams listen:
// whatever must not be lost is written in the transaction of the change (table change_log).
import type { Logger } from './logger.ts';

export type ChangeEvent = {
  readonly seq: number;
  readonly userId: number;
  readonly kind: string;
  readonly thingId: number;
  readonly action: string;
  /** `memory.saved`, in past tense. */
  readonly name: string;
};

export type Events = {
  announce(event: ChangeEvent): void;
  /** Returns the function that ends the subscription. */
  subscribe(listener: (event: ChangeEvent) => void): () => void;
};

export function createEvents(logger: Logger): Events {
  const listeners = new Set<(event: ChangeEvent) => void>();
  return {
    announce(event) {
      for (const listener of listeners) {
        try {
          listener(event);
        } catch (error) {
          logger.error({ err: error, event: event.name }, 'a listener failed');
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
