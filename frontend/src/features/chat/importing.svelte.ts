// A conversation from a file: what it holds is shown before it is taken in.
import { type Backend, type PickedConversation, toApiError } from '../../api';

export class ConversationImport {
  /** The file that was read and waits for a yes. */
  picked = $state.raw<PickedConversation | null>(null);
  problem = $state<string | null>(null);
  busy = $state(false);

  #backend: Backend;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  async pick(): Promise<void> {
    await this.#try(async () => {
      const picked = await this.#backend.pickConversation();
      this.picked = picked.picked ? picked : null;
    });
  }

  /** Takes the picked conversation in and returns its number; null: it was refused. */
  async take(): Promise<number | null> {
    let id: number | null = null;
    await this.#try(async () => {
      id = (await this.#backend.importConversation()).id;
    });
    this.picked = null;
    return id;
  }

  async #try(work: () => Promise<void>): Promise<void> {
    this.busy = true;
    this.problem = null;
    try {
      await work();
    } catch (cause) {
      this.problem = toApiError(cause).sentence;
    }
    this.busy = false;
  }
}
