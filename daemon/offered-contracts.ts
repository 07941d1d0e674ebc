import type { Category, Contract } from '#shared/contract/operation.ts';
import type { SettingKey, SettingValues } from '#shared/settings.ts';

/** Categories that a setting can turn off. */
const switches: Partial<Record<Category, SettingKey & `categories.${string}`>> = {
  skill: 'categories.skills',
  file: 'categories.files',
};

/** The operations that this daemon has: a category that is turned off has no tool, no route and no place in discovery. */
export function offeredContracts(contracts: readonly Contract[], settings: SettingValues): readonly Contract[] {
  return contracts.filter(({ category }) => {
    const key = switches[category];
    return key === undefined || settings[key];
  });
}
