// The pages beside the list of settings, and what each of them needs.
import type { Backend, Setting } from '../../api';
import { FitState } from '../../ui/fit.svelte';
import { DataModel } from './data.svelte';
import { PrivacyModel } from './privacy.svelte';
import { ProfilesModel } from './profiles.svelte';
import { ProgramsModel } from './programs.svelte';

export type SettingsPage = 'settings' | 'programs' | 'privacy' | 'data';

export class SettingsPages {
  shown = $state<SettingsPage>('settings');
  readonly programs: ProgramsModel;
  readonly privacy: PrivacyModel;
  readonly data: DataModel;
  readonly profiles: ProfilesModel;
  readonly fit: FitState;

  /** taken gets the settings after a profile was put in force. */
  constructor(backend: Backend, newId: () => string, taken: (settings: Setting[]) => void) {
    this.programs = new ProgramsModel(backend);
    this.privacy = new PrivacyModel(backend);
    this.data = new DataModel(backend, newId);
    this.profiles = new ProfilesModel(backend, taken);
    this.fit = new FitState(backend);
  }
}
