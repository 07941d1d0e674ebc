// The operations that this daemon offers: all, but for the categories that its settings turn off. What is off has no route, no tool
// and no place in discovery; what was stored before stays.
import { contracts } from '#shared/contract/index.ts';
import type { Contract } from '#shared/contract/operation.ts';
import type { SettingValues } from '#shared/settings.ts';

const switches: Readonly<Record<string, keyof SettingValues>> = {
  skill: 'categories.skills',
  file: 'categories.files',
  plan: 'categories.plans',
  task: 'categories.plans',
  activity: 'categories.activity',
};

export function offeredContracts(settings: SettingValues): readonly Contract[] {
  return contracts.filter(({ category }) => {
    const key = switches[category];
    return key === undefined || settings[key] === true;
  });
}
