// Every connection to another computer, of this start and of earlier ones.
import { type Backend, type Connection, toApiError } from '../../api';

export class PrivacyModel {
  /** Null until they are read. */
  connections = $state.raw<Connection[] | null>(null);
  problem = $state<string | null>(null);

  #backend: Backend;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /** Reads the list, and follows it until the result is called. */
  follow(): () => void {
    void this.load();
    return this.#backend.onStatus(() => void this.load());
  }

  async load(): Promise<void> {
    try {
      this.connections = await this.#backend.connections();
      this.problem = null;
    } catch (cause) {
      this.problem = toApiError(cause).sentence;
    }
  }
}
