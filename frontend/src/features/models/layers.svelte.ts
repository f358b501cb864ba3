// How many layers of the answer model go to the graphics processor: tried out on
// paper first, then loaded.
import { type Backend, type ModelState, type Setting, toApiError } from '../../api';
import { FitState } from '../../ui/fit.svelte';

const key = 'model.gpu_layers';

export class LayersModel {
  readonly fit: FitState;
  /** Null: as many as fit. */
  wanted = $state<number | null>(null);
  loading = $state(false);
  problem = $state<string | null>(null);

  /** The layers of the answer model; 0 while there is none. */
  of = $derived.by(() => this.fit.fit?.roles.find((role) => role.role === 'answer')?.of ?? 0);

  #backend: Backend;
  #changed: (settings: Setting[]) => void;
  #stored = $state('auto');

  /** Whether what is shown differs from what is set. */
  differs = $derived(this.#stored !== (this.wanted === null ? 'auto' : String(this.wanted)));

  constructor(backend: Backend, changed: (settings: Setting[]) => void) {
    this.#backend = backend;
    this.#changed = changed;
    this.fit = new FitState(backend);
  }

  /** Begins with what is set. */
  async load(): Promise<void> {
    try {
      const settings = await this.#backend.settings();
      this.#stored = settings.find((s) => s.key === key)?.value ?? 'auto';
      this.wanted = this.#stored === 'auto' ? null : Number(this.#stored);
    } catch (cause) {
      this.problem = toApiError(cause).sentence;
    }
    await this.#preview();
  }

  async want(layers: number | null): Promise<void> {
    this.wanted = layers;
    await this.#preview();
  }

  /** Puts the choice in force and loads the model, so that the truth is seen. */
  async apply(answer: ModelState | null): Promise<void> {
    this.loading = true;
    this.problem = null;
    try {
      this.#changed(await this.#backend.setSetting(key, this.wanted === null ? 'auto' : String(this.wanted)));
      this.#stored = this.wanted === null ? 'auto' : String(this.wanted);
      if (answer?.id) await this.#backend.loadModel('answer', answer.id);
    } catch (cause) {
      this.problem = toApiError(cause).sentence;
    }
    this.loading = false;
  }

  #preview(): Promise<void> {
    return this.fit.load({ layers: this.wanted ?? -1 });
  }
}
