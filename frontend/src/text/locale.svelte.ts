// The language of the window: one of the catalogue's, switchable while running.
// Messages read it through Paraglide, so templates follow a change by themselves.
import { locales, overwriteGetLocale, type Locale } from '../paraglide/runtime';

/** What a person may choose. */
export type LanguageChoice = 'system' | Locale;

export const languages: readonly Locale[] = locales;

/**
 * The first usable locale tag of a list, for Intl. In the locale C the web view
 * reports "C", which Intl refuses with an exception.
 */
export function usableLocale(candidates: readonly string[], fallback = 'en'): string {
  for (const candidate of candidates) {
    try {
      const [tag] = Intl.DateTimeFormat.supportedLocalesOf([candidate]);
      if (tag) return tag;
    } catch {
      // Not a language tag.
    }
  }
  return fallback;
}

class Language {
  /** The stored choice. */
  choice = $state<LanguageChoice>('system');
  #system: readonly string[] =
    typeof navigator === 'undefined' ? [] : (navigator.languages ?? [navigator.language]);

  /** The catalogue language in use. */
  get current(): Locale {
    if (this.choice !== 'system') return this.choice;
    const wanted = usableLocale(this.#system).split('-')[0];
    return languages.find((language) => language === wanted) ?? 'en';
  }

  /** The tag for numbers and dates: the system's variant of the language in use. */
  get format(): string {
    const tag = usableLocale(this.#system.filter((l) => l.split('-')[0] === this.current));
    return tag.split('-')[0] === this.current ? tag : this.current;
  }
}

export const language = new Language();
overwriteGetLocale(() => language.current);
