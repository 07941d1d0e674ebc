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
  /**
   * Returns the function that ends the subscription. `pattern` is a name (`memory.deleted`) of which either half may be `*`;
   * without one the listener hears everything.
   */
  subscribe(listener: (event: ChangeEvent) => void, pattern?: string): () => void;
};

export function createEvents(logger: Logger): Events {
  const subscriptions = new Set<{ listener: (event: ChangeEvent) => void; pattern: string }>();
  return {
    announce(event) {
      for (const { listener, pattern } of subscriptions) {
        if (!isMatch(pattern, event)) continue;
        try {
          listener(event);
        } catch (error) {
          logger.error({ err: error, event: event.name }, 'a listener failed');
        }
      }
    },
    subscribe(listener, pattern = '*.*') {
      const subscription = { listener, pattern };
      subscriptions.add(subscription);
      return () => subscriptions.delete(subscription);
    },
  };
}

function isMatch(pattern: string, { kind, action }: ChangeEvent): boolean {
  const [wantedKind, wantedAction = '*'] = pattern.split('.');
  return (wantedKind === '*' || wantedKind === kind) && (wantedAction === '*' || wantedAction === action);
}
