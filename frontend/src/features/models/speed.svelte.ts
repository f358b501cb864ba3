// One short reply of the answer model, measured.
import { type Backend, type Speed, toApiError } from '../../api';

export class SpeedModel {
  result = $state.raw<Speed | null>(null);
  running = $state(false);
  problem = $state<string | null>(null);

  #backend: Backend;
  #newId: () => string;
  #id = '';

  constructor(backend: Backend, newId: () => string) {
    this.#backend = backend;
    this.#newId = newId;
  }

  async test(role: string): Promise<void> {
    if (this.running) return;
    this.running = true;
    this.result = this.problem = null;
    this.#id = this.#newId();
    try {
      this.result = await this.#backend.testModel(this.#id, role);
    } catch (cause) {
      const error = toApiError(cause);
      if (error.code !== 'cancelled') this.problem = error.sentence;
    }
    this.running = false;
  }

  async stop(): Promise<void> {
    await this.#backend.stop(this.#id).catch((cause: unknown) => {
      this.problem = toApiError(cause).sentence;
    });
  }
}
