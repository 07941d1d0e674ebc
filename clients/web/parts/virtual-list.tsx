// A list of any length that holds only the rows one sees. All rows are of one height, counted in rem so that it grows with the
// reader's own text size; each row says which of how many it is, because a screen reader cannot see the ones that are not there.
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Rows above and below that are made before they are seen. */
const margin = 8;

export type VirtualListProps = {
  readonly label: string;
  readonly count: number;
  readonly rowRem: number;
  readonly row: (index: number) => ComponentChildren;
  /** Told which rows are about to be seen. */
  readonly onRange?: (from: number, to: number) => void;
  /** A row to bring into view when it changes. */
  readonly focus?: number | null;
};

export function VirtualList({ label, count, rowRem, row, onRange, focus = null }: VirtualListProps) {
  const box = useRef<HTMLElement>(null);
  const rowPx = rowRem * parseFloat(getComputedStyle(document.documentElement).fontSize);
  const [from, to] = useSeen(box, rowPx, count);
  useEffect(() => onRange?.(from, to), [from, to, count]);
  useLayoutEffect(() => {
    if (focus !== null && box.current !== null) bringIntoView(box.current, focus, rowPx);
  }, [focus]);
  const indexes = Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="virtual" ref={box} tabIndex={0} aria-label={label}>
      <ol class="rows" style={{ height: `${count * rowPx}px` }}>
        {indexes.map((index) => (
          <li
            key={index}
            class="row"
            aria-setsize={count}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${index * rowPx}px)`, height: `${rowPx}px` }}
          >
            {row(index)}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The first row that is made and the one after the last. */
function useSeen(box: RefObject<HTMLElement | null>, rowPx: number, count: number): [number, number] {
  const [[from, to], setSeen] = useState<readonly [number, number]>([0, 30]);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const look = (): void => {
      const first = Math.max(0, Math.floor(element.scrollTop / rowPx) - margin);
      const last = Math.ceil((element.scrollTop + element.clientHeight) / rowPx) + margin;
      setSeen((seen) => (seen[0] === first && seen[1] === last ? seen : [first, last]));
    };
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [rowPx]);
  return [Math.min(from, count), Math.min(count, to)];
}

function bringIntoView(box: HTMLElement, index: number, rowPx: number): void {
  const top = index * rowPx;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (top + rowPx > box.scrollTop + box.clientHeight) box.scrollTop = top + rowPx - box.clientHeight;
}
