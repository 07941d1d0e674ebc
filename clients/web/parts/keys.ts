// Keys work wherever no text is being written. Each view brings its own while it is shown; the last that came is asked first.
export type Keys = Readonly<Record<string, () => void>>;

const layers: Keys[] = [];

/** Adds keys until the answer is called. A name is what `KeyboardEvent.key` says. */
export function addKeys(keys: Keys): () => void {
  layers.push(keys);
  return () => void layers.splice(layers.lastIndexOf(keys), 1);
}

/** The same for keys that everybody else's come before. */
export function addLastKeys(keys: Keys): () => void {
  layers.unshift(keys);
  return () => void layers.splice(layers.indexOf(keys), 1);
}

/** Listens until the answer is called. */
export function listenForKeys(): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (document.querySelector('dialog[open]') !== null) return;
    if (isWriting(event.target)) {
      if (event.key === 'Escape') (event.target as HTMLElement).blur();
      return;
    }
    const act = [...layers].reverse().find((keys) => Object.hasOwn(keys, event.key))?.[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}

function isWriting(target: EventTarget | null): boolean {
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && target.type !== 'checkbox';
}
