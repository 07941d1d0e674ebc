// The views by the first word of the address.
import type { ComponentType } from 'preact';
import { GraphView } from './graph/graph-view.tsx';
import { HealthView } from './health/health-view.tsx';
import { MemoryView } from './memory/memory-view.tsx';
import { PlansView } from './plans/plans-view.tsx';
import { ReviewView } from './review/review-view.tsx';
import { SearchView } from './search/search-view.tsx';
import { SettingsView } from './settings/settings-view.tsx';
import { TimelineView } from './timeline/timeline-view.tsx';

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
  { name: 'timeline', title: 'Timeline', View: TimelineView, listed: true },
  { name: 'graph', title: 'Graph', View: GraphView, listed: true },
  { name: 'plans', title: 'Plans', View: PlansView, listed: true },
  { name: 'review', title: 'Review', View: ReviewView, listed: true },
  { name: 'health', title: 'Health', View: HealthView, listed: true },
  { name: 'settings', title: 'Settings', View: SettingsView, listed: true },
];

export function viewOf(name: string): View {
  return views.find((view) => view.name === name) ?? (views[0] as View);
}
