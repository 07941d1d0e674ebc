import { signal } from '@preact/signals';
import { Dialog } from './dialog.tsx';

export const helpOpen = signal(false);

const keys: readonly (readonly [key: string, does: string])[] = [
  ['/', 'write a search'],
  ['j · k', 'next and previous in the list'],
  ['Enter', 'open what is marked'],
  ['x', 'select it, for doing one thing to many'],
  ['e', 'edit the open memory'],
  ['p', 'pin or unpin it'],
  ['a', 'archive or restore it'],
  ['u', 'undo the last action'],
  ['g', 'the graph around it'],
  ['Esc', 'leave a field, close what is open'],
  ['?', 'this list'],
];

export function Help() {
  return (
    <Dialog
      title="Keys"
      onClose={() => {
        helpOpen.value = false;
      }}
    >
      <dl class="keys">
        {keys.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
