// When a setting takes effect, and within which limits it may be set.
import type { Setting } from '../../api';
import { m } from '../../paraglide/messages';
import type { SettingsPage } from './pages.svelte';

export function scopeSentence(setting: Setting): string {
  const when =
    setting.scope === 'now'
      ? m.scope_now()
      : setting.scope === 'reindex'
        ? m.scope_reindex()
        : m.scope_next_question();
  const { min, max } = setting;
  const bounded = min !== 0 || max !== 0;
  const unit = setting.type === 'duration' ? 's' : '';
  const range = !bounded
    ? ''
    : setting.auto
      ? m.range_or_auto({ min: String(min), max: `${max}${unit && `\u00a0${unit}`}` })
      : m.range({ min: String(min), max: `${max}${unit && `\u00a0${unit}`}` });
  return [when, range].filter(Boolean).join(' ');
}

export function pageName(page: SettingsPage): string {
  return {
    settings: m.all_settings,
    programs: m.programs_page,
    privacy: m.privacy,
    data: m.data_folder,
  }[page]();
}
