// What the program did: turns, connections to other computers, and what other
// programs asked for. It holds ids, codes and times, never a text.
import { type Backend, type Call, type Connection, type Run, toApiError } from '../../api';

export type ActivityPage = 'turns' | 'connections' | 'programs';

export class ActivityModel {
  page = $state<ActivityPage>('turns');
  /** Null until they are read. */
  runs = $state.raw<Run[] | null>(null);
  connections = $state.raw<Connection[] | null>(null);
  calls = $state.raw<Call[] | null>(null);
  /** Only turns without an answer. */
  unanswered = $state(false);
  problem = $state<string | null>(null);

  shownRuns = $derived((this.runs ?? []).filter((run) => !this.unanswered || run.code !== null));

  #backend: Backend;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /** Shows a page with what is known now. */
  async show(page: ActivityPage): Promise<void> {
    this.page = page;
    try {
      if (page === 'turns') this.runs = await this.#backend.runs();
      else if (page === 'connections') this.connections = await this.#backend.connections();
      else this.calls = await this.#backend.calls();
      this.problem = null;
    } catch (cause) {
      this.problem = toApiError(cause).sentence;
    }
  }
}

/** The whole time of a turn in milliseconds; null where it was not measured. */
export function runTime(run: Run): number | null {
  return run.stages_ms['total'] ?? null;
}
