// The change to another search model: what it costs, and the new index while it
// is built beside the old one.
import { type Backend, type EmbedPlan, toApiError } from '../../api';
import { m } from '../../paraglide/messages';

export class SearchModelChange {
  plan = $state.raw<EmbedPlan | null>(null);
  /** The person is asked whether to build. */
  asking = $state(false);
  /** What was done last, a sentence. */
  done = $state<string | null>(null);
  problem = $state<string | null>(null);
  /** What stands between the two models; null: the model of the settings serves. */
  pending = $derived(this.plan?.to ? this.plan : null);

  #backend: Backend;
  #announce: (sentence: string) => void;
  #own = false;
  #reading = false;

  constructor(backend: Backend, announce: (sentence: string) => void) {
    this.#backend = backend;
    this.#announce = announce;
  }

  /** Follows the building, also one that the program has gone on with by itself; the result ends it. */
  start(): () => void {
    const ends = [
      this.#backend.onEmbedder((plan) => (this.plan = plan)),
      this.#backend.onLibrary(() => {
        if (this.plan?.building && !this.#own) void this.load();
      }),
    ];
    return () => ends.forEach((end) => end());
  }

  async load(): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    try {
      this.plan = await this.#backend.planEmbedder();
    } catch (cause) {
      this.problem = toApiError(cause).sentence;
    } finally {
      this.#reading = false;
    }
  }

  /** Builds the index and stays until it has taken over or was stopped. */
  async build(): Promise<void> {
    const { plan } = this;
    this.asking = false;
    if (!plan?.to || plan.building) return;
    this.#own = true;
    this.done = this.problem = null;
    this.plan = { ...plan, building: true };
    try {
      await this.#backend.buildEmbedder();
      this.done = m.embedder_taken_over({ name: plan.to });
      this.#announce(this.done);
    } catch (cause) {
      const error = toApiError(cause);
      if (error.code === 'cancelled') this.done = error.sentence;
      else this.problem = error.sentence;
    }
    this.#own = false;
    await this.load();
  }

  async stop(): Promise<void> {
    try {
      await this.#backend.stopEmbedder();
    } catch (cause) {
      this.problem = toApiError(cause).sentence;
    }
  }
}
