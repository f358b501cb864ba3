// The text of a passage as it is shown: as the model saw it, or the original.
import type { Hit } from '../../api';
import { visibleControls } from '../../text/bidi';
import { codePointSlice, markSpans, type Piece } from '../../text/codepoints';
import type { EvidenceView } from './evidence.svelte';

/** The passage in pieces, with the cited parts marked. */
export function passagePieces(
  hit: Hit,
  view: EvidenceView,
  spans: readonly { start: number; end: number }[],
): Piece[] {
  const pieces =
    view === 'original' || !hit.rendered || hit.rendered === hit.text
      ? markSpans(hit.text, spans)
      : markQuotes(
          hit.rendered,
          spans.map((span) => codePointSlice(hit.text, span.start, span.end)),
        );
  return pieces.map((piece) => ({ ...piece, text: visibleControls(piece.text) }));
}

/** Marks quotations of a text where they still stand in it. */
function markQuotes(text: string, quotes: readonly string[]): Piece[] {
  const spans = quotes.flatMap((quote) => {
    const at = quote ? text.indexOf(quote) : -1;
    if (at < 0) return [];
    const start = [...text.slice(0, at)].length;
    return [{ start, end: start + [...quote].length }];
  });
  return markSpans(text, spans);
}

/** Whether the prompt held less than the passage. */
export function isShortened(hit: Hit): boolean {
  return hit.strategy === 'headline' || hit.strategy === 'stub';
}
