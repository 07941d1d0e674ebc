// Facets of what a search found, counted here as the daemon counts those of everything: each under all filters but its own.
import { ageBands } from '#shared/age-bands.ts';
import type { memoryList } from '#shared/contract/browse.ts';
import type { OutputOf } from '#shared/contract/operation.ts';
import type { Line, Wanted } from './wanted.ts';

export type Facets = NonNullable<OutputOf<typeof memoryList>['facets']>;
export type FacetName = keyof Facets;

export const facetNames: readonly FacetName[] = ['project', 'type', 'tier', 'status', 'agent', 'age'];

/** Whether a memory passes the filters, `but` aside. */
export function fits(line: Line, wanted: Wanted, but: FacetName | null = null): boolean {
  return facetNames.every((name) => name === but || wanted[name] === null || facetValue(line, name) === wanted[name]);
}

export function countFacets(lines: readonly Line[], wanted: Wanted): Facets {
  return Object.fromEntries(
    facetNames.map((name) => {
      const counts = new Map<string | null, number>();
      for (const line of lines) {
        if (!fits(line, wanted, name)) continue;
        const value = facetValue(line, name);
        counts.set(value, (counts.get(value) ?? 0) + 1);
      }
      return [name, [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count)];
    }),
  ) as Facets;
}

function facetValue(line: Line, name: FacetName): string | null {
  if (name !== 'age') return line[name];
  const ageMs = Date.now() - Date.parse(line.created_at);
  return ageBands.find(([, endMs]) => ageMs < endMs)?.[0] ?? 'older';
}
