// Models by role, the catalogue with its downloads, and the runtime they run on.
import { SvelteMap } from 'svelte/reactivity';
import {
  type Backend,
  type CatalogueEntry,
  type ModelsState,
  type ModelState,
  type ProgramStatus,
  type RemoteRequest,
  type Setting,
  toApiError,
  type Transfer,
} from '../../api';
import { LayersModel } from './layers.svelte';
import { RuntimesModel } from './runtimes.svelte';
import { SpeedModel } from './speed.svelte';

export class ModelsModel {
  state = $state.raw<ModelsState | null>(null);
  problem = $state<string | null>(null);
  /** What an import could not compare. */
  remark = $state<string | null>(null);
  /** The role that a model is being loaded for. */
  loading = $state<string | null>(null);
  /** The file that is being imported, and how far it is. */
  importing = $state<Transfer | null>(null);
  /** A model file that was dropped on the window and waits for its role. */
  dropped = $state<string | null>(null);
  /** What downloads have told since the last look, by model. */
  #moved = new SvelteMap<string, Transfer>();

  readonly layers: LayersModel;
  readonly speed: SpeedModel;
  readonly runtimes: RuntimesModel;

  #backend: Backend;
  #changed: (settings: Setting[]) => void;

  /** changed gets the settings after this view has changed one. */
  constructor(
    backend: Backend,
    changed: (settings: Setting[]) => void = () => undefined,
    newId: () => string = () => 'test',
  ) {
    this.#backend = backend;
    this.#changed = changed;
    this.layers = new LayersModel(backend, changed);
    this.speed = new SpeedModel(backend, newId);
    this.runtimes = new RuntimesModel(backend, changed, newId);
    backend.onTransfer((transfer) => {
      if (this.runtimes.follow(transfer)) return;
      if (transfer.state === 'copying') this.importing = transfer;
      else this.#moved.set(transfer.id, transfer);
    });
  }

  /** Asks anew for the notes, after the language has changed. */
  sayAgain(): Promise<void> {
    return this.refresh();
  }

  /** Looks anew at models and libraries. */
  async refresh(): Promise<void> {
    await Promise.all([this.load(), this.runtimes.load()]);
  }

  async load(): Promise<void> {
    try {
      this.state = await this.#backend.models();
      this.problem = null;
    } catch (cause) {
      this.problem = toApiError(cause).sentence;
    }
  }

  /** Puts a model of the catalogue into a role. */
  async use(role: string, id: string): Promise<void> {
    this.loading = role;
    try {
      await this.#backend.loadModel(role, id);
      await this.load();
    } catch (cause) {
      this.problem = toApiError(cause).sentence;
    } finally {
      this.loading = null;
    }
  }

  /** Where the download of a model stands; null: there is none. */
  transfer(entry: CatalogueEntry): Transfer | null {
    const moved = this.#moved.get(entry.id) ?? entry.transfer;
    return moved && moved.state !== 'done' && !entry.installed ? moved : null;
  }

  /** The download that waits for a permission. */
  get asking(): Transfer | null {
    const all = [...this.#moved.values(), ...(this.runtimes.moved ? [this.runtimes.moved] : [])];
    return all.find((transfer) => transfer.state === 'asking' && transfer.asks) ?? null;
  }

  /** Begins a download or goes on with one. */
  async download(id: string): Promise<void> {
    this.problem = null;
    let problem: string | null = null;
    try {
      await this.#backend.pullModel(id);
    } catch (cause) {
      const error = toApiError(cause);
      if (error.code !== 'cancelled') problem = error.sentence;
    }
    await this.load();
    this.#moved.delete(id); // the list knows what is left
    if (problem) this.problem = problem;
  }

  async pause(id: string): Promise<void> {
    await this.#try(() => this.#backend.pauseModel(id));
  }

  async permit(transfer: Transfer, allow: boolean): Promise<void> {
    if (transfer.id === this.runtimes.moved?.id) return this.runtimes.permit(transfer, allow);
    this.#moved.set(transfer.id, { ...transfer, state: 'connecting', asks: null });
    await this.#try(() => this.#backend.permitDownload(transfer.id, transfer.asks ?? '', allow));
  }

  /** Takes the dropped file, or asks for one, for a role. */
  async importFile(role: string): Promise<void> {
    const dropped = this.dropped;
    this.dropped = this.remark = null;
    await this.#try(async () => {
      const path = dropped ?? (await this.#backend.pickFiles())[0];
      if (!path) return;
      this.remark = (await this.#backend.importModel(path, role)).sentence;
      await this.load();
    });
    this.importing = null;
  }

  /** Deletes a file of the person's own, or what an unfinished download has left. */
  async remove(id: string): Promise<void> {
    await this.#try(async () => {
      await this.#backend.removeModel(id);
      await this.load();
      this.#moved.delete(id);
    });
  }

  /** Lets a server play a role, or ends that; false: it was refused. */
  async setRemote(request: RemoteRequest): Promise<boolean> {
    this.problem = null;
    await this.#try(async () => {
      await this.#backend.setRemote(request);
      this.#changed(await this.#backend.settings());
      await this.load();
    });
    return this.problem === null;
  }

  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (cause) {
      this.problem = toApiError(cause).sentence;
    }
  }

  /** A role as it stands now: the status is newer than what was read for this view. */
  now(stored: ModelState, status: ProgramStatus | null): ModelState {
    const newest =
      [status?.answer, status?.condense, status?.embed].find((s) => s?.role === stored.role) ?? stored;
    return this.loading === stored.role ? { ...newest, state: 'loading' } : newest;
  }

  /** Models on this computer that can fill a role. */
  candidates(role: string): { id: string; name: string }[] {
    return (this.state?.catalogue ?? []).filter((entry) => entry.installed && entry.roles.includes(role));
  }
}
