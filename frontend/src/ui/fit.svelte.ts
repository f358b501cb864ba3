// What a choice of model and layers would take of the machine, before anything
// is loaded.
import { type Backend, type Fit, type FitRequest, toApiError } from '../api';

/** A part of the bar. Hatched parts are kept free. */
export interface FitPart {
  name: 'weights' | 'others' | 'free';
  bytes: number;
}

export class FitState {
  fit = $state.raw<Fit | null>(null);
  problem = $state<string | null>(null);

  #backend: Backend;
  #asked = 0;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /** Asks for a plan; an answer to an older question is dropped. */
  async load(request: Partial<FitRequest> = {}): Promise<void> {
    const asked = ++this.#asked;
    try {
      const fit = await this.#backend.fitModels({ gpus: null, models: null, layers: null, ...request });
      if (asked === this.#asked) [this.fit, this.problem] = [fit, null];
    } catch (cause) {
      if (asked === this.#asked) this.problem = toApiError(cause).sentence;
    }
  }
}

/** The parts of all devices together, in the order of the bar. */
export function fitParts(fit: Fit): FitPart[] {
  const answer = deviceBytes(fit, (role) => role === 'answer');
  const others = deviceBytes(fit, (role) => role !== 'answer');
  return [
    { name: 'weights', bytes: answer },
    { name: 'others', bytes: others },
    { name: 'free', bytes: Math.max(0, total(fit) - answer - others) },
  ];
}

/** What the devices have together; without one, the main memory. */
export function total(fit: Fit): number {
  return fit.devices.reduce((sum, device) => sum + device.free, 0);
}

function deviceBytes(fit: Fit, which: (role: string) => boolean): number {
  return fit.roles
    .filter((role) => which(role.role) && !role.shares)
    .reduce((sum, role) => sum + role.device_bytes, 0);
}
