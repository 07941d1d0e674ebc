// The views by the first word of the address.
import type { ComponentType } from 'preact';
import { MemoryView } from './memory/memory-view.tsx';
import { SearchView } from './search/search-view.tsx';

export type View = {
  readonly name: string;
  readonly title: string;
  readonly View: ComponentType;
  /** Stands in the navigation. */
  readonly listed: boolean;
};

export const views: readonly View[] = [
  { name: 'search', title: 'Memories', View: SearchView, listed: true },
  { name: 'memory', title: 'Memory', View: MemoryView, listed: false },
];

export function viewOf(name: string): View {
  return views.find((view) => view.name === name) ?? (views[0] as View);
}
