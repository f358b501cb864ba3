// What every part of the stand-in shares: the recorded calls, the failures that a
// test asks for, and the events.
import type { Host } from '../../src/api';

type Listener = (...data: unknown[]) => void;

export interface MockOptions {
  /** Nothing was ever added: the first start. */
  empty?: boolean;
  indexing?: boolean;
  /** The failure policy is stop. */
  stopPolicy?: boolean;
}

/** The bound methods are those of the subclasses whose names begin with a capital. */
export class MockBase {
  readonly calls: { method: string; values: unknown[] }[] = [];
  readonly failures = new Map<string, { code: string; message: string; hint?: string }>();

  #listeners = new Map<string, Set<Listener>>();
  #drop: ((x: number, y: number, paths: string[]) => void) | null = null;

  /** What the page finds as its host. */
  host(): Host {
    const bound = boundNames(this).map((name) => [
      name,
      async (...values: unknown[]): Promise<unknown> => {
        this.calls.push({ method: name, values });
        const failure = this.failures.get(name);
        if (failure) throw failure;
        const method = this[name as keyof this] as (...v: unknown[]) => unknown;
        return method.apply(this, values);
      },
    ]);
    return {
      go: { desktop: { Window: Object.fromEntries(bound) } },
      runtime: {
        EventsOn: (name, callback) => {
          const listeners = this.#listeners.get(name) ?? new Set();
          listeners.add(callback);
          this.#listeners.set(name, listeners);
          return () => listeners.delete(callback);
        },
        OnFileDrop: (callback) => {
          this.#drop = callback;
        },
        OnFileDropOff: () => {
          this.#drop = null;
        },
      },
    };
  }

  /** Sends a runtime event. */
  emit(name: string, value: unknown): void {
    for (const listener of this.#listeners.get(name) ?? []) listener(value);
  }

  /** Lets files fall on the window. */
  drop(...paths: string[]): void {
    this.#drop?.(10, 10, paths);
  }

  /** The values of every call of a method. */
  called(method: string): unknown[][] {
    return this.calls.filter((call) => call.method === method).map((call) => call.values);
  }
}

/** The methods of all classes below MockBase. */
function boundNames(mock: MockBase): string[] {
  const names = new Set<string>();
  let prototype: object = Object.getPrototypeOf(mock);
  while (prototype !== MockBase.prototype) {
    for (const name of Object.getOwnPropertyNames(prototype)) if (/^[A-Z]/.test(name)) names.add(name);
    prototype = Object.getPrototypeOf(prototype);
  }
  return [...names];
}
