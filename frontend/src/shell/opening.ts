// What the reader is told about a turn.
import type { Turn } from '../features/chat/turn.svelte';
import type { CitedPassage } from '../features/reader/place';

/** The passages of a turn that stand in one document, in citation order. */
export function citedPassages(turn: Turn, document: number): CitedPassage[] {
  const citations = turn.done?.citations ?? [];
  return turn.packed
    .filter((hit) => hit.document === document)
    .map((hit) => ({
      n: hit.n ?? 0,
      chunk: hit.chunk,
      text: hit.text,
      spans: citations.filter((c) => c.n === hit.n && c.end > c.start),
    }));
}
