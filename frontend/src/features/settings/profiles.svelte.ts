// Profiles: sets of settings that belong together, and which of them is in force.
import { type Backend, type Profile, type Setting, toApiError } from '../../api';
import { m } from '../../paraglide/messages';

/** What a profile would change. */
export interface Change {
  key: string;
  label: string;
  from: string;
  to: string;
}

export class ProfilesModel {
  all = $state.raw<Profile[]>([]);
  /** The profile whose changes are shown before they are made. */
  chosen = $state<string | null>(null);
  problem = $state<string | null>(null);

  #backend: Backend;
  #taken: (settings: Setting[]) => void;

  /** taken gets the settings after a profile was put in force. */
  constructor(backend: Backend, taken: (settings: Setting[]) => void) {
    this.#backend = backend;
    this.#taken = taken;
  }

  async load(): Promise<void> {
    try {
      this.all = await this.#backend.profiles();
    } catch (cause) {
      this.problem = toApiError(cause).sentence;
    }
  }

  /** The profile that the settings make up; null: they are the person's own. */
  current(settings: readonly Setting[]): string | null {
    return this.all.find((profile) => changes(profile, settings).length === 0)?.name ?? null;
  }

  changes(name: string, settings: readonly Setting[]): Change[] {
    const profile = this.all.find((p) => p.name === name);
    return profile ? changes(profile, settings) : [];
  }

  async use(name: string): Promise<void> {
    try {
      this.#taken(await this.#backend.useProfile(name));
      this.chosen = this.problem = null;
    } catch (cause) {
      this.problem = toApiError(cause).sentence;
    }
  }
}

function changes(profile: Profile, settings: readonly Setting[]): Change[] {
  return settings
    .filter((s) => profile.values[s.key] !== undefined && profile.values[s.key] !== s.value)
    .map((s) => ({ key: s.key, label: s.label, from: s.value, to: profile.values[s.key] ?? '' }));
}

type Words = Record<string, (() => string) | undefined>;

export function profileName(name: string): string {
  const names: Words = { careful: m.profile_careful, balanced: m.profile_balanced, fast: m.profile_fast };
  return names[name]?.() ?? name;
}

export function profileSentence(name: string): string {
  const sentences: Words = {
    careful: m.profile_careful_sentence,
    balanced: m.profile_balanced_sentence,
    fast: m.profile_fast_sentence,
  };
  return sentences[name]?.() ?? '';
}
