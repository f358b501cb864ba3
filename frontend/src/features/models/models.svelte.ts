// Models by role, the catalogue, and the runtime they run on.
import { type Backend, type ModelsState, type ModelState, type ProgramStatus, toApiError } from '../../api';

export class ModelsModel {
  state = $state.raw<ModelsState | null>(null);
  problem = $state<string | null>(null);
  /** The role that a model is being loaded for. */
  loading = $state<string | null>(null);

  #backend: Backend;

  constructor(backend: Backend) {
    this.#backend = backend;
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
