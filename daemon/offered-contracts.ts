// The operations that this daemon offers: all, but for the categories that its settings turn off. What is off has no route, no tool
// and no place in discovery; what was stored before stays. How many hits a search gives is a setting too, and stands in its schema.
import { z } from 'zod';
import { memorySearch } from '#shared/contract/lifecycle.ts';
import type { Category, Contract } from '#shared/contract/operation.ts';
import type { SettingKey, SettingValues } from '#shared/settings.ts';

const switches: Partial<Record<Category, SettingKey & `categories.${string}`>> = {
  skill: 'categories.skills',
  file: 'categories.files',
  plan: 'categories.plans',
  task: 'categories.plans',
  activity: 'categories.activity',
};

/** Those of `contracts` whose category no setting turns off, with the limits of the settings. */
export function offeredContracts(contracts: readonly Contract[], settings: SettingValues): readonly Contract[] {
  return contracts
    .filter(({ category }) => {
      const key = switches[category];
      return key === undefined || settings[key];
    })
    .map((contract) => (contract.name === memorySearch.name ? withLimits(settings) : contract));
}

function withLimits(settings: SettingValues): Contract {
  const { 'search.default_limit': usual, 'search.max_limit': most } = settings;
  return { ...memorySearch, input: memorySearch.input.extend({ limit: z.int().min(1).max(most).default(usual) }) };
}
