import type { Wanted } from './wanted.ts';

/** What the list should show, by the parameters of its address. */
export function addressToWanted(address: URLSearchParams): Wanted {
  const value = (name: string): string | null => address.get(name) || null;
  return {
    query: value('q') ?? '',
    project: value('project'),
    type: value('type'),
    tier: value('tier'),
    status: value('status'),
    agent: value('agent'),
    age: value('age'),
    sort: value('sort'),
  };
}
