// What the window is made of: the state of every view, made once and wired to
// each other. Nothing here knows the page.
import type { Backend } from '../api';
import { ActivityModel } from '../features/activity/activity.svelte';
import { ChatState } from '../features/chat/chat.svelte';
import { LabModel } from '../features/lab/lab.svelte';
import { LibraryModel } from '../features/library/library.svelte';
import { ModelsModel } from '../features/models/models.svelte';
import { ReaderModel } from '../features/reader/reader.svelte';
import { SettingsPages } from '../features/settings/pages.svelte';
import { SettingsModel } from '../features/settings/settings.svelte';
import { Announcer } from '../ui/announce.svelte';
import { Appearance, type ThemeChoice } from '../ui/appearance.svelte';
import { DragState } from './drag.svelte';
import { Layout } from './layout.svelte';
import { Opening } from './opening';

/** How long a draft rests before it is stored, in milliseconds. */
const rest = 400;

export class Desk {
  readonly announcer = new Announcer();
  readonly appearance = new Appearance();
  readonly layout = new Layout();
  readonly drag = new DragState();
  readonly chat: ChatState;
  readonly library: LibraryModel;
  readonly models: ModelsModel;
  readonly reader: ReaderModel;
  readonly opening: Opening;
  readonly activity: ActivityModel;
  readonly lab: LabModel;
  readonly settings: SettingsModel;
  readonly pages: SettingsPages;

  /** A size on its way to the program; null: there is none. */
  #asked: number | null = null;
  #draftTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(backend: Backend) {
    const { say } = this.announcer;
    const newId = () => crypto.randomUUID();
    this.chat = new ChatState({
      backend,
      announce: say,
      clock: () => performance.now(),
      newId,
      later: (work) => {
        clearTimeout(this.#draftTimer);
        this.#draftTimer = setTimeout(work, rest);
      },
    });
    this.settings = new SettingsModel(backend, (all) => {
      this.chat.options.useSettings(all);
      for (const setting of all) {
        if (setting.key === 'window.theme') this.appearance.setTheme(setting.value);
        if (setting.key === 'window.language') this.appearance.setLanguage(setting.value);
      }
    });
    this.library = new LibraryModel(backend, say);
    this.models = new ModelsModel(backend, (all) => this.settings.take(all), newId);
    this.reader = new ReaderModel(backend);
    this.opening = new Opening(this.reader);
    this.activity = new ActivityModel(backend);
    this.lab = new LabModel(backend, say);
    this.pages = new SettingsPages(backend, newId, (all) => this.settings.take(all));
  }

  /** Begins to follow the program and the system; the results end it. */
  start(): (() => void)[] {
    return [
      () => clearTimeout(this.#draftTimer),
      this.chat.start(),
      this.library.start(),
      this.lab.start(),
      this.appearance.follow(),
    ];
  }

  setTheme(theme: ThemeChoice): void {
    this.appearance.setTheme(theme);
    if (this.settings.all.some((s) => s.key === 'window.theme'))
      void this.settings.set('window.theme', theme);
  }

  /** Makes everything larger or smaller, for all starts to come; one size after the other. */
  async setZoom(percent: number): Promise<void> {
    const busy = this.#asked !== null;
    this.#asked = percent;
    while (!busy && this.#asked !== null) {
      const next: number = this.#asked;
      await this.settings.set('window.zoom', String(next));
      if (this.#asked === next) this.#asked = null;
    }
  }

  /** The size of everything that was asked for last, in percent. */
  get zoom(): number {
    return this.#asked ?? Number(this.settings.all.find((s) => s.key === 'window.zoom')?.value ?? 100);
  }
}
