// Offsets of the program count code points, strings here count UTF-16 units.

/** The index in UTF-16 units of a code point offset, clamped to the text. */
export function unitIndex(text: string, offset: number): number {
  let units = 0;
  for (let points = 0; points < offset && units < text.length; points++) {
    units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
  }
  return units;
}

/** The text between two code point offsets. */
export function codePointSlice(text: string, start: number, end: number): string {
  return text.slice(unitIndex(text, start), unitIndex(text, end));
}

/** A piece of text, marked or not. */
export interface Piece {
  text: string;
  marked: boolean;
}

/** Splits a text at spans given in code points; overlapping spans are joined. */
export function markSpans(text: string, spans: readonly { start: number; end: number }[]): Piece[] {
  const sorted = spans
    .map(({ start, end }) => ({ start: unitIndex(text, start), end: unitIndex(text, end) }))
    .filter(({ start, end }) => end > start)
    .sort((a, b) => a.start - b.start);
  const pieces: Piece[] = [];
  let at = 0;
  for (const { start, end } of sorted) {
    const from = Math.max(start, at);
    if (end <= from) continue;
    if (from > at) pieces.push({ text: text.slice(at, from), marked: false });
    const last = pieces.at(-1);
    if (last?.marked && from === at) last.text += text.slice(from, end);
    else pieces.push({ text: text.slice(from, end), marked: true });
    at = end;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), marked: false });
  return pieces;
}

/** Turns many code point offsets of one text into UTF-16 units; quick also for a long text. */
export function pointOffsets(text: string): (offset: number) => number {
  // Code point offsets of the signs that take two units.
  const wide: number[] = [];
  for (let units = 0, points = 0; units < text.length; points++) {
    const high = text.charCodeAt(units);
    const pair = high >= 0xd800 && high < 0xdc00 && units + 1 < text.length;
    if (pair && (text.codePointAt(units) ?? 0) > 0xffff) {
      wide.push(points);
      units += 2;
    } else units++;
  }
  return (offset) => {
    let low = 0;
    let high = wide.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((wide[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return Math.min(text.length, offset + low);
  };
}
