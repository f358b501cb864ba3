// The settings as rows of a form. A value is checked before it is sent; what is
// refused stays in its field with the reason.
import { type Backend, type Setting, toApiError } from '../../api';
import { m } from '../../paraglide/messages';
import { language } from '../../text/locale.svelte';
import { translated } from './translated';

/** The settings a person changes most, in one panel above the groups. */
export const topKeys = ['chat.engine', 'condense.on_failure', 'model.gpu_layers'];

export interface SettingGroup {
  name: string;
  settings: Setting[];
}

export class SettingsModel {
  #told = $state.raw<Setting[]>([]);
  /** Every setting, in the language of the window. */
  all = $derived(this.#told.map((s) => translated(s, language.current)));
  loaded = $state(false);
  search = $state('');
  changedOnly = $state(false);
  problem = $state<string | null>(null);
  /** The group shown in the sidebar as current. */
  group = $state<string | null>(null);
  /** Refused values and why, by key. */
  refused = $state.raw<ReadonlyMap<string, { text: string; reason: string }>>(new Map());
  /** Notices that were dismissed, by key. */
  dismissed = $state.raw<ReadonlySet<string>>(new Set());

  #backend: Backend;
  #changed: (settings: Setting[]) => void;

  constructor(backend: Backend, changed: (settings: Setting[]) => void) {
    this.#backend = backend;
    this.#changed = changed;
  }

  matching = $derived.by(() => {
    const words = this.search.toLowerCase().split(/\s+/).filter(Boolean);
    return this.all.filter(
      (s) =>
        (!this.changedOnly || isChanged(s)) &&
        words.every((word) => `${s.key} ${s.label} ${s.help} ${s.group}`.toLowerCase().includes(word)),
    );
  });
  /** Whether the list is narrowed by a search or to changed settings. */
  narrowed = $derived(this.changedOnly || this.search.trim() !== '');
  top = $derived(this.narrowed ? [] : topKeys.flatMap((key) => this.all.filter((s) => s.key === key)));
  groups = $derived(grouped(this.matching.filter((s) => this.narrowed || !topKeys.includes(s.key))));
  /** Every group with all its settings, for the sidebar. */
  index = $derived(grouped(this.all));
  changed = $derived(this.all.filter(isChanged).length);
  /** Stored values that were ignored. */
  ignored = $derived(this.all.filter((s) => s.source === 'invalid' && !this.dismissed.has(s.key)));

  async load(): Promise<void> {
    try {
      this.take(await this.#backend.settings());
      this.problem = null;
    } catch (cause) {
      this.problem = toApiError(cause).sentence;
    }
    this.loaded = true;
  }

  /** Asks anew for the notices, after the language has changed. */
  sayAgain(): Promise<void> {
    return this.load();
  }

  async set(key: string, text: string): Promise<void> {
    const setting = this.all.find((s) => s.key === key);
    if (!setting) return;
    const reason = refusal(setting, text);
    if (reason) {
      this.#refuse(key, text, reason);
      return;
    }
    try {
      this.take(await this.#backend.setSetting(key, text.trim()));
      this.#accept(key);
    } catch (cause) {
      this.#refuse(key, text, toApiError(cause).sentence);
    }
  }

  async reset(key: string): Promise<void> {
    try {
      this.take(await this.#backend.resetSetting(key));
      this.#accept(key);
    } catch (cause) {
      this.problem = toApiError(cause).sentence;
    }
  }

  dismiss(key: string): void {
    this.dismissed = new Set(this.dismissed).add(key);
  }

  /** Shows settings that were changed elsewhere. */
  take(settings: Setting[]): void {
    this.#told = settings;
    this.#changed(settings);
  }

  #refuse(key: string, text: string, reason: string): void {
    this.refused = new Map(this.refused).set(key, { text, reason });
  }

  #accept(key: string): void {
    const left = new Map(this.refused);
    left.delete(key);
    this.refused = left;
  }
}

/** Whether a setting was changed from its default by the person. */
export function isChanged(setting: Setting): boolean {
  return setting.source === 'stored' && setting.value !== setting.default;
}

/** Why a text is no value of a setting; null: it is one. */
export function refusal(setting: Setting, text: string): string | null {
  const clean = text.trim();
  if (setting.auto && clean === 'auto') return null;
  if (setting.type === 'enum' && !setting.options.includes(clean)) {
    return m.invalid_option({ options: setting.options.join(', ') });
  }
  if (setting.type !== 'int' && setting.type !== 'float') return null;
  const value = Number(clean);
  if (clean === '' || !Number.isFinite(value)) return m.invalid_number();
  if (setting.type === 'int' && !Number.isInteger(value)) return m.invalid_whole();
  const { min, max } = setting;
  const bounded = min !== 0 || max !== 0;
  return bounded && (value < min || value > max)
    ? m.invalid_range({ min: String(min), max: String(max) })
    : null;
}

function grouped(settings: readonly Setting[]): SettingGroup[] {
  const groups = new Map<string, Setting[]>();
  for (const setting of settings) {
    const members = groups.get(setting.group);
    if (members) members.push(setting);
    else groups.set(setting.group, [setting]);
  }
  return [...groups].map(([name, members]) => ({ name, settings: members }));
}
