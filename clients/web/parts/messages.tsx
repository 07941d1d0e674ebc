// What was just done, and the way back. One message at a time: the last action is the one that can be undone.
import { signal } from '@preact/signals';

export type Message = {
  readonly text: string;
  readonly isFailure: boolean;
  readonly undo: (() => void) | null;
};

export const message = signal<Message | null>(null);

/** Tells; a new message takes the place of the one before. */
export function tell(text: string, given: { isFailure?: boolean; undo?: () => void } = {}): void {
  message.value = { text, isFailure: given.isFailure ?? false, undo: given.undo ?? null };
}

export function Messages() {
  const now = message.value;
  return (
    <div class="messages">
      <div role="status">{now !== null && !now.isFailure && <Line message={now} />}</div>
      <div role="alert">{now?.isFailure === true && <Line message={now} />}</div>
    </div>
  );
}

function Line({ message: { text, isFailure, undo } }: { message: Message }) {
  return (
    <div class={isFailure ? 'message failure' : 'message'}>
      <span>{text}</span>
      {undo !== null && (
        <button type="button" onClick={undo}>
          Undo <kbd>u</kbd>
        </button>
      )}
      <button
        type="button"
        class="quiet"
        onClick={() => {
          message.value = null;
        }}
      >
        Dismiss
      </button>
    </div>
  );
}
