// Grows whenever something stored has changed, here or (as the stream of events tells) anywhere: views ask anew.
import { signal } from '@preact/signals';

export const changes = signal(0);

export function noteChange(): void {
  changes.value += 1;
}
