import type { OutputOf } from '#shared/contract/operation.ts';
import type { listSettings } from '#shared/contract/page.ts';
import type { SettingOrigin, Settings } from '#shared/read-settings.ts';
import type { Setting } from '#shared/setting-kinds.ts';
import { settingKeys, settings } from '#shared/settings.ts';

type Word = OutputOf<typeof listSettings>['settings'][number];

/** Every setting as a person reads it. A secret is only said to be set, and no path of this machine is told. */
export function settingsToWords({ values, origins }: Settings): Word[] {
  return settingKeys.map((key) => {
    const setting: Setting<unknown> = settings[key];
    const value = values[key] as Word['value'];
    return {
      key,
      value: setting.secret === true && value !== null ? '(set)' : value,
      origin: originWord(origins[key]),
      default: setting.default as Word['default'],
      allowed: setting.allowed,
      doc: setting.doc,
    };
  });
}

function originWord(origin: SettingOrigin): string {
  return origin.from === 'environment' ? origin.name : origin.from;
}
