// Finds cited passages in the text of their document. The stored passage is the
// truth; a document that no longer holds it has changed.
import { unitIndex } from '../../text/codepoints';

/** A span of a text in UTF-16 units. Cited: the very words; else the passage around them. */
export interface Mark {
  n: number;
  start: number;
  end: number;
  cited: { start: number; end: number }[];
}

export interface CitedPassage {
  n: number;
  chunk: number;
  text: string;
  /** Cited spans of the passage, in code points. */
  spans: { start: number; end: number }[];
}

/** The marks of passages, in the order of the text. Passages that are not in it are left out. */
export function findMarks(text: string, passages: readonly CitedPassage[]): Mark[] {
  return passages
    .flatMap((passage) => {
      const start = passage.text ? text.indexOf(passage.text) : -1;
      if (start < 0) return [];
      const cited = passage.spans.map((span) => ({
        start: start + unitIndex(passage.text, span.start),
        end: start + unitIndex(passage.text, span.end),
      }));
      return [{ n: passage.n, start, end: start + passage.text.length, cited }];
    })
    .sort((a, b) => a.start - b.start);
}

/** A run of a paragraph: plain, of a passage, or cited word by word. */
export interface Run {
  text: string;
  kind: 'plain' | 'passage' | 'cited';
}

export interface Paragraph {
  /** Where it stands in the text; also its key. */
  start: number;
  runs: Run[];
  /** Numbers of the passages that begin or end here. */
  begins: number[];
  ends: number[];
  /** Numbers of the passages that it is part of. */
  inside: number[];
}

/** Cuts a text at its line breaks and lays the marks over it. */
export function paragraphs(text: string, marks: readonly Mark[]): Paragraph[] {
  const out: Paragraph[] = [];
  for (const match of text.matchAll(/[^\n]+/g)) {
    const start = match.index;
    const end = start + match[0].length;
    const here = marks.filter((mark) => mark.start < end && mark.end > start);
    out.push({
      start,
      runs: runs(text, start, end, here),
      begins: here.filter((mark) => mark.start >= start).map((mark) => mark.n),
      ends: here.filter((mark) => mark.end <= end).map((mark) => mark.n),
      inside: here.map((mark) => mark.n),
    });
  }
  return out;
}

function runs(text: string, start: number, end: number, marks: readonly Mark[]): Run[] {
  const cuts = new Set([start, end]);
  const cited = marks.flatMap((mark) => mark.cited);
  for (const span of [...marks, ...cited]) {
    if (span.start > start && span.start < end) cuts.add(span.start);
    if (span.end > start && span.end < end) cuts.add(span.end);
  }
  const sorted = [...cuts].sort((a, b) => a - b);
  const within = (spans: readonly { start: number; end: number }[], at: number) =>
    spans.some((span) => span.start <= at && at < span.end);
  return sorted.slice(0, -1).map((from, i) => ({
    text: text.slice(from, sorted[i + 1]),
    kind: within(cited, from) ? 'cited' : within(marks, from) ? 'passage' : 'plain',
  }));
}
