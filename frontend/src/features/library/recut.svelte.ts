// Files that an earlier version of the program has read and cut can be read anew.
// That never begins by itself.
import { type Backend, type RecutPlan, toApiError } from '../../api';

export class Recut {
  /** What it would cost; null: there is nothing to read anew. */
  plan = $state.raw<RecutPlan | null>(null);
  problem = $state<string | null>(null);

  #backend: Backend;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  async load(): Promise<void> {
    try {
      const plan = await this.#backend.planRecut();
      this.plan = plan.files > 0 ? plan : null;
    } catch (cause) {
      this.problem = toApiError(cause).sentence;
    }
  }

  /** Begins; how far it is is told as for any reading. */
  async begin(): Promise<void> {
    try {
      await this.#backend.recut();
      this.plan = null;
    } catch (cause) {
      this.problem = toApiError(cause).sentence;
    }
  }

  /** Leaves it until the program is started again. */
  later(): void {
    this.plan = null;
  }
}
