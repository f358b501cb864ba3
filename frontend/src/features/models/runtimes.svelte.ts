// The libraries that models run on: choosing, installing, checking and removing them.
import {
  type ArchiveSource,
  type Backend,
  type RuntimeCheck,
  type RuntimeFolder,
  type Setting,
  toApiError,
  type Transfer,
} from '../../api';
import { m } from '../../paraglide/messages';
import { runtimeName } from './words';

const key = 'model.runtime';
const prefix = 'runtime-';

/** An installation from files is no download: it can be stopped, and not be paused. */
type Work = 'install' | 'download' | 'check' | 'choose' | 'remove';

export class RuntimesModel {
  list = $state.raw<RuntimeFolder[]>([]);
  problem = $state<string | null>(null);
  /** What has just been done. */
  remark = $state<string | null>(null);
  /** What is under way, by the name of its runtime. */
  working = $state<{ name: string; what: Work } | null>(null);
  checked = $state.raw<RuntimeCheck | null>(null);
  /** The choice before the last change. */
  before = $state<string | null>(null);
  /** Archives that were dropped on the window. */
  dropped = $state.raw<string[]>([]);
  /** Where an installation stands. */
  moved = $state.raw<Transfer | null>(null);

  #backend: Backend;
  #changed: (settings: Setting[]) => void;
  #newId: () => string;
  #id = '';

  constructor(backend: Backend, changed: (settings: Setting[]) => void, newId: () => string) {
    this.#backend = backend;
    this.#changed = changed;
    this.#newId = newId;
  }

  /** Takes the news of a transfer; false: it is not of a runtime. */
  follow(transfer: Transfer): boolean {
    if (!transfer.id.startsWith(prefix)) return false;
    this.moved = transfer;
    return true;
  }

  async load(): Promise<void> {
    try {
      this.list = await this.#backend.runtimes();
    } catch (cause) {
      this.problem = toApiError(cause).sentence;
    }
  }

  /** The pack that can be installed; null: there is none, or it is there already. */
  get pack(): RuntimeFolder | null {
    return this.list.find((r) => !r.folder && r.notice) ?? null;
  }

  /** Takes archives that were dropped on the window, or says why not. */
  async drop(archives: string[]): Promise<void> {
    this.dropped = [];
    this.remark = this.problem = null;
    await this.load();
    if (this.working) this.problem = m.runtime_drop_busy();
    else if (this.pack) this.dropped = archives;
    else this.problem ??= m.runtime_drop_none();
  }

  /** Where the installation of a runtime stands; null: none is under way or waits. */
  transfer(of: RuntimeFolder): Transfer | null {
    if (of.folder) return null;
    const moved = this.moved?.id === prefix + of.name ? this.moved : of.transfer;
    return moved && moved.state !== 'done' ? moved : null;
  }

  /** Lets models run on other libraries. What cannot be used is refused, and the old ones stay. */
  choose(name: string, now: string): Promise<void> {
    return this.#work(name, 'choose', async () => {
      this.#changed(await this.#backend.setSetting(key, name));
      this.before = now;
    });
  }

  /** Installs a pack from the dropped files, or from those that the person picks; anyway although it lacks its driver. */
  async install(name: string, anyway: boolean): Promise<void> {
    const dropped = this.dropped;
    this.dropped = [];
    if (this.working && dropped.length > 0) this.problem = m.runtime_drop_busy();
    await this.#work(name, 'install', async () => {
      const archives = dropped.length > 0 ? dropped : await this.#backend.pickFiles();
      if (archives.length === 0) return;
      this.#installed(
        name,
        await this.#backend.installRuntime(this.#id, { name, archives, accept: true, anyway }),
      );
    });
  }

  /** Downloads a pack and installs it; without addresses from where the program knows it. */
  pull(name: string, anyway: boolean, from: ArchiveSource[] = []): Promise<void> {
    return this.#work(name, 'download', async () => {
      this.#installed(name, await this.#backend.pullRuntime({ name, from, accept: true, anyway }));
    });
  }

  async pause(name: string): Promise<void> {
    await this.#backend.pauseModel(prefix + name).catch((cause: unknown) => {
      this.problem = toApiError(cause).sentence;
    });
  }

  async permit(transfer: Transfer, allow: boolean): Promise<void> {
    this.moved = { ...transfer, state: 'connecting', asks: null };
    await this.#backend.permitDownload(transfer.id, transfer.asks ?? '', allow).catch((cause: unknown) => {
      this.problem = toApiError(cause).sentence;
    });
  }

  remove(name: string): Promise<void> {
    return this.#work(name, 'remove', async () => {
      await this.#backend.removeRuntime(name);
      this.remark = m.runtime_removed({ name: runtimeName(name) });
    });
  }

  check(name: string): Promise<void> {
    this.checked = null;
    return this.#work(name, 'check', async () => {
      this.checked = await this.#backend.checkRuntime(this.#id, name);
    });
  }

  /** Ends what is under way. */
  async stop(): Promise<void> {
    await this.#backend.stop(this.#id).catch((cause: unknown) => {
      this.problem = toApiError(cause).sentence;
    });
  }

  #installed(name: string, folder: RuntimeFolder): void {
    const done = folder.lacks === null ? m.runtime_installed : m.runtime_installed_untried;
    this.remark = [done({ name: runtimeName(name) }), folder.lacks, folder.sentence]
      .filter(Boolean)
      .join(' ');
  }

  async #work(name: string, what: Work, work: () => Promise<void>): Promise<void> {
    if (this.working) return;
    this.working = { name, what };
    this.problem = this.remark = null;
    this.#id = this.#newId();
    let problem: string | null = null;
    try {
      await work();
    } catch (cause) {
      const error = toApiError(cause);
      if (error.code !== 'cancelled') problem = error.sentence;
    }
    this.working = null;
    await this.load();
    this.moved = null; // the list knows what is left
    if (problem) this.problem = problem;
  }
}

/** Reads what a person wrote: on each line an address and, if known, its SHA-256. */
export function sourcesOf(text: string): ArchiveSource[] {
  return text
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([url]) => url !== '')
    .map(([url = '', sha256 = '']) => ({ url, sha256, bytes: 0 }));
}
