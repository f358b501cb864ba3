// Finds cited passages in the text of their document. The stored passage is the
// truth; a document that no longer holds it has changed.
import type { Locator, TextPart } from '../../api';
import { pointOffsets, unitIndex } from '../../text/codepoints';
import type { Span } from './fold';

/** A span of a text in UTF-16 units. Cited: the very words; else the passage around them. */
export interface Mark extends Span {
  n: number;
  cited: Span[];
  /** Where the document says that it stands; null when only its words were found. */
  locator: Locator | null;
}

/** A passage that an answer rests on, as it was when it was answered. */
export interface CitedPassage {
  n: number;
  chunk: number;
  hash: string;
  document: number;
  path: string;
  title: string;
  locator: Locator;
  text: string;
  /** How long it was taken to hold, and whether it was pinned. */
  class: string;
  pinned: boolean;
  /** Cited spans of the passage, in code points. */
  spans: { start: number; end: number }[];
}

/** How long passages hold and which are pinned, now; and how that is corrected. */
export interface Holds {
  classOf(passage: CitedPassage): string;
  isPinned(passage: CitedPassage): boolean;
  classify(passage: CitedPassage, name: string): Promise<void>;
  pin(passage: CitedPassage): Promise<void>;
}

/** The cited words of a passage. */
export function citedWords(passage: CitedPassage): string[] {
  return passage.spans.map((span) =>
    passage.text.slice(unitIndex(passage.text, span.start), unitIndex(passage.text, span.end)),
  );
}

/**
 * The marks of passages, in the order of the text. A passage is where the part
 * with its content stands, else where its words do; one that is nowhere is left
 * out. A part of a table may stand there without the header row that its passage
 * repeats.
 */
export function findMarks(
  text: string,
  passages: readonly CitedPassage[],
  parts: readonly TextPart[] = [],
): Mark[] {
  const unit = pointOffsets(text);
  const byHash = new Map(parts.map((part) => [part.content_hash, part]));
  return passages
    .flatMap((passage) => {
      const part = passage.hash ? byHash.get(passage.hash) : undefined;
      let span = part
        ? { start: unit(part.start), end: unit(part.start + part.length) }
        : wordsAt(text, passage.text);
      if (!span) return [];
      let missing = passage.text.length - (span.end - span.start);
      if (missing < 0 || !passage.text.endsWith(text.slice(span.start, span.end))) {
        span = wordsAt(text, passage.text);
        if (!span) return [];
        missing = 0;
      }
      const { start, end } = span;
      const cited = passage.spans
        .map((cite) => ({
          start: Math.max(start, start - missing + unitIndex(passage.text, cite.start)),
          end: start - missing + unitIndex(passage.text, cite.end),
        }))
        .filter((cite) => cite.end > cite.start);
      return [{ n: passage.n, start, end, cited, locator: part ? passage.locator : null }];
    })
    .sort((a, b) => a.start - b.start);
}

function wordsAt(text: string, words: string): Span | null {
  const start = words ? text.indexOf(words) : -1;
  return start < 0 ? null : { start, end: start + words.length };
}

/** A run of text: plain, of a passage, or cited word by word; found by a search, or the current find. */
export interface Run {
  text: string;
  kind: 'plain' | 'passage' | 'cited';
  found?: 'found' | 'current';
}

/** What is laid over a text. */
export interface Overlay {
  marks: readonly Mark[];
  /** In the order of the text. */
  found?: readonly Span[];
  current?: Span | null;
}

/** Cuts a piece of a text where what is laid over it begins and ends. */
export function runs(text: string, { start, end }: Span, over: Overlay): Run[] {
  if (end <= start) return [];
  const marks = over.marks.filter((mark) => mark.start < end && mark.end > start);
  const cited = marks.flatMap((mark) => mark.cited);
  const found = overlapping(over.found ?? [], start, end);
  const cuts = new Set([start, end]);
  for (const span of [...marks, ...cited, ...found]) {
    if (span.start > start && span.start < end) cuts.add(span.start);
    if (span.end > start && span.end < end) cuts.add(span.end);
  }
  const sorted = [...cuts].sort((a, b) => a - b);
  const within = (spans: readonly Span[], at: number) => spans.find((s) => s.start <= at && at < s.end);
  return sorted.slice(0, -1).map((from, i) => {
    const run: Run = {
      text: text.slice(from, sorted[i + 1]),
      kind: within(cited, from) ? 'cited' : within(marks, from) ? 'passage' : 'plain',
    };
    const hit = within(found, from);
    if (hit) run.found = hit.start === over.current?.start ? 'current' : 'found';
    return run;
  });
}

/** The spans that reach into a range; the list is in order and does not overlap. */
function overlapping(spans: readonly Span[], start: number, end: number): readonly Span[] {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.end ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  let to = low;
  while (to < spans.length && (spans[to]?.start ?? end) < end) to++;
  return spans.slice(low, to);
}

/** Numbers of the passages that begin, end or go on in a piece of the text. */
export function edges(marks: readonly Mark[], { start, end }: Span) {
  const here = marks.filter((mark) => mark.start < end && mark.end > start);
  return {
    begins: here.filter((mark) => mark.start >= start).map((mark) => mark.n),
    ends: here.filter((mark) => mark.end <= end).map((mark) => mark.n),
    inside: here.length > 0,
  };
}
