// Which rows a search may see, decided once for each distinct set of filter keys and not once for each row: a store of 100,000 rows has
// a few hundred such sets, so a filter costs a look into a small table and is applied before the top-k for nothing.
import type { ScopeFilter } from '../search-types.ts';

/** What a row is filtered by. `projects` is the text of the table `searchables`: ids between commas, `,3,17,`; `,` for none. */
export type FilterKeys = {
  readonly kind: string;
  readonly userId: number;
  readonly status: string;
  readonly type: string;
  readonly projects: string;
};

export type ScopeGroups = {
  /** The number (≥ 1) that stands for these keys. */
  groupOf(keys: FilterKeys): number;
  /** For each group number, 1 if the filter admits it. Number 0, a free row, is never admitted. */
  admitted(filter: ScopeFilter): Uint8Array;
};

/** Agents ask with the same few filters again and again. */
const keptTables = 32;

export function createScopeGroups(): ScopeGroups {
  const numbers = new Map<string, number>();
  const groups: { keys: FilterKeys; projectIds: readonly number[] }[] = [];
  const tables = new Map<string, Uint8Array>();

  return {
    groupOf(keys) {
      const name = JSON.stringify([keys.kind, keys.userId, keys.status, keys.type, keys.projects]);
      const known = numbers.get(name);
      if (known !== undefined) return known;
      groups.push({ keys, projectIds: projectIdsOf(keys.projects) });
      numbers.set(name, groups.length);
      tables.clear();
      return groups.length;
    },
    admitted(filter) {
      const { userId, kinds, statuses, projectIds: projects, types } = filter;
      const name = JSON.stringify([userId, kinds, statuses, projects, types]);
      const known = tables.get(name);
      if (known !== undefined) return known;
      const table = new Uint8Array(groups.length + 1);
      groups.forEach(({ keys, projectIds }, index) => {
        table[index + 1] = isAdmitted(filter, keys, projectIds) ? 1 : 0;
      });
      if (tables.size >= keptTables) tables.clear();
      tables.set(name, table);
      return table;
    },
  };
}

/** Whether a thing with these keys lies in the scope; `exclude` is the caller's. */
export function isAdmitted(
  filter: ScopeFilter,
  keys: FilterKeys,
  projectIds: readonly number[] = projectIdsOf(keys.projects),
): boolean {
  if (keys.userId !== filter.userId || !filter.kinds.includes(keys.kind)) return false;
  if (!filter.statuses.includes(keys.status)) return false;
  if (filter.types !== null && !filter.types.includes(keys.type)) return false;
  if (filter.projectIds === null) return true;
  if (filter.projectIds.length === 0) return projectIds.length === 0;
  return projectIds.some((id) => filter.projectIds?.includes(id));
}

/** `,3,17,` → `[3, 17]`. */
export function projectIdsOf(projects: string): number[] {
  return projects.split(',').filter(Boolean).map(Number);
}

/** `[3, 17]` → `,3,17,`; `[]` → `,`: the spelling of the column `searchables.projects`. */
export function projectIdsToText(projectIds: readonly number[]): string {
  return projectIds.length === 0 ? ',' : `,${projectIds.join(',')},`;
}
