// Other programs: where they are answered, the token that they show, and what
// they have asked for since the start. No text of what they got is kept.
import { type Backend, type Call, type Serving, toApiError } from '../../api';
import { clientName } from '../../text/outcome';

/** What one program has asked for, summed up. */
export interface Client {
  name: string;
  calls: number;
  refused: number;
  passages: number;
  documents: number;
  last: string;
}

export class ProgramsModel {
  serving = $state.raw<Serving | null>(null);
  /** Null until they are read. */
  calls = $state.raw<Call[] | null>(null);
  problem = $state<string | null>(null);
  /** The token is shown in full. */
  shown = $state(false);
  /** A new token was made just now. */
  rotated = $state(false);

  clients = $derived(clientsOf(this.calls ?? []));

  #backend: Backend;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /** Reads what is known, and follows it until the result is called. */
  follow(): () => void {
    void this.load();
    return this.#backend.onStatus(() => void this.load());
  }

  async load(): Promise<void> {
    await this.#try(async () => {
      [this.serving, this.calls] = await Promise.all([this.#backend.serving(), this.#backend.calls()]);
    });
  }

  /** Ends what every other program was allowed. */
  async rotate(): Promise<void> {
    await this.#try(async () => {
      this.serving = await this.#backend.rotateToken();
      this.rotated = true;
    });
  }

  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.problem = null;
    } catch (cause) {
      this.problem = toApiError(cause).sentence;
    }
  }
}

/** Programs by name, the one that asked last first. */
function clientsOf(calls: readonly Call[]): Client[] {
  const clients = new Map<string, Client>();
  for (const call of calls) {
    const name = clientName(call);
    const client = clients.get(name) ?? {
      name,
      calls: 0,
      refused: 0,
      passages: 0,
      documents: 0,
      last: call.at,
    };
    client.calls++;
    if (call.status >= 400) client.refused++;
    client.passages += call.passages;
    client.documents += call.documents?.length ?? 0;
    clients.set(name, client);
  }
  return [...clients.values()];
}
