// When a setting takes effect, and within which limits it may be set.
import type { Setting } from '../../api';
import { m } from '../../paraglide/messages';

export function scopeSentence(setting: Setting): string {
  const when =
    setting.scope === 'now'
      ? m.scope_now()
      : setting.scope === 'reindex'
        ? m.scope_reindex()
        : m.scope_next_question();
  const { min, max } = setting;
  if (min == null && max == null) return when;
  const range =
    min != null && max != null
      ? m.range({ min: String(min), max: String(max) })
      : min != null
        ? m.range_from({ min: String(min) })
        : m.range_to({ max: String(max) });
  return `${when} ${range}`;
}
