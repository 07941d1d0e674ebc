// The operations that this daemon offers: all, but for the categories that its settings turn off. What is off has no route, no tool
// and no place in discovery; what was stored before stays.
import type { Category, Contract } from '#shared/contract/operation.ts';
import type { SettingKey, SettingValues } from '#shared/settings.ts';

const switches: Partial<Record<Category, SettingKey & `categories.${string}`>> = {
  skill: 'categories.skills',
  file: 'categories.files',
  plan: 'categories.plans',
  task: 'categories.plans',
  activity: 'categories.activity',
};

/** Those of `contracts` whose category no setting turns off. */
export function offeredContracts(contracts: readonly Contract[], settings: SettingValues): readonly Contract[] {
  return contracts.filter(({ category }) => {
    const key = switches[category];
    return key === undefined || settings[key];
  });
}
