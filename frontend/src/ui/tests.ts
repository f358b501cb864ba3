// Turns of a chat can be added to the own tests, wherever they are drawn. Without
// an offer there is no such entry.
import { getContext, setContext } from 'svelte';

const key = Symbol('tests');

export function offerTests(add: (turn: number) => void): void {
  setContext(key, add);
}

export function testsOffer(): ((turn: number) => void) | undefined {
  return getContext<((turn: number) => void) | undefined>(key);
}
