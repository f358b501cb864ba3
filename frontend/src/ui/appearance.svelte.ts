// Light or dark, and the language: applied to the page, kept for the next start.
import { language, languages, type LanguageChoice } from '../text/locale.svelte';
import { recall, remember } from './memory';

export type ThemeChoice = 'system' | 'light' | 'dark';

export class Appearance {
  theme = $state<ThemeChoice>('system');
  #systemDark = $state(false);

  /** The theme in use. */
  shown = $derived(this.theme === 'system' ? (this.#systemDark ? 'dark' : 'light') : this.theme);

  get language(): LanguageChoice {
    return language.choice;
  }

  constructor() {
    this.theme = readTheme(recall('theme'));
    language.choice = readLanguage(recall('language'));
  }

  setTheme(choice: string): void {
    this.theme = readTheme(choice);
    remember('theme', this.theme);
  }

  setLanguage(choice: string): void {
    language.choice = readLanguage(choice);
    remember('language', language.choice);
  }

  /** Follows the system; the result ends it. */
  follow(): () => void {
    const query = window.matchMedia('(prefers-color-scheme: dark)');
    const take = () => (this.#systemDark = query.matches);
    take();
    query.addEventListener('change', take);
    return () => query.removeEventListener('change', take);
  }
}

function readTheme(value: string | null): ThemeChoice {
  return value === 'light' || value === 'dark' ? value : 'system';
}

function readLanguage(value: string | null): LanguageChoice {
  return languages.find((known) => known === value) ?? 'system';
}
