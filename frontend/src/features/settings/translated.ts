// The words of a setting in the window's language. The program's table speaks
// English; a test of the table holds the other languages complete.
import type { Setting } from '../../api';
import type { Locale } from '../../paraglide/runtime';
import italian from './italian.json';

interface Words {
  groups: Record<string, string>;
  units: Record<string, string>;
  settings: Record<string, { label: string; help: string }>;
}

const translations: Partial<Record<Locale, Words>> = { it: italian };

/** The setting with label, help, group and unit in a language; unknown words stay as they are. */
export function translated(setting: Setting, locale: Locale): Setting {
  const words = translations[locale];
  if (!words) return setting;
  const { unit } = setting;
  return {
    ...setting,
    ...words.settings[setting.key],
    group: words.groups[setting.group] ?? setting.group,
    unit: unit && (words.units[unit] ?? unit),
  };
}
