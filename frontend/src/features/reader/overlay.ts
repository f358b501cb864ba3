// Where marks lie on a page that has been drawn, in CSS pixels from its corner.
import { fold, places, squeeze, type Folded, type Span } from './fold';
import type { DrawnPage } from './pages.svelte';
import type { PageMark } from './reader.svelte';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface PlacedMark {
  n: number;
  current: boolean;
  /** The cited words; the whole passage where it is cited as a whole, or where they are not found. */
  cited: Box[];
  /** The passage around them. */
  passage: Box[];
}

/** Lays the marks of a page over it. */
export function placeMarks(marks: readonly PageMark[], page: DrawnPage, frame: HTMLElement): PlacedMark[] {
  const squeezed = marks.some((mark) => mark.words.length > 0) ? squeeze(page.folded) : null;
  return marks.map(({ n, rects, words, current }) => {
    const passage = rects.map((rect) => scaled(rect, page.perPoint));
    const found = squeezed
      ? words
          .flatMap((text) => wordSpans(squeezed, squeeze(fold(text)).text))
          .map((options) =>
            nearest(
              options.map((span) => boxes(page, span, frame)),
              passage,
            ),
          )
      : [];
    const cited = found.flat();
    return cited.length > 0 ? { n, current, cited, passage } : { n, current, cited: passage, passage: [] };
  });
}

/** Marks one find. */
export function boxes(page: DrawnPage, span: Span, frame: HTMLElement): Box[] {
  const range = page.range(span);
  if (!range) return [];
  const { x, y } = frame.getBoundingClientRect();
  return joined(
    [...range.getClientRects()]
      .filter((rect) => rect.width > 0 && rect.height > 0)
      .map((rect) => ({ x: rect.x - x, y: rect.y - y, width: rect.width, height: rect.height })),
  );
}

function scaled({ x, y, width, height }: Box, by: number): Box {
  return { x: x * by, y: y * by, width: width * by, height: height * by };
}

/** Shorter parts of a text say too little about where it stands. */
const least = 24;

/**
 * Where words stand, each list one piece with its possible places. Words that go
 * on over a page are found in halves.
 */
export function wordSpans(page: Folded, needle: string): Span[][] {
  const found = places(page, needle, 20);
  if (found.length > 0) return [found];
  if (needle.length < 2 * least) return [];
  const middle = needle.length >> 1;
  return [...wordSpans(page, needle.slice(0, middle)), ...wordSpans(page, needle.slice(middle))];
}

/** Of several places of the same words the one that is nearest to the passage. */
function nearest(options: Box[][], passage: readonly Box[]): Box[] {
  const first = passage[0];
  const visible = options.filter((option) => option.length > 0);
  if (!first || visible.length < 2) return visible[0] ?? [];
  const away = (option: Box[]) =>
    Math.min(
      ...passage.map((rect) => {
        const y = (option[0]?.y ?? 0) + (option[0]?.height ?? 0) / 2;
        const x = option[0]?.x ?? 0;
        return distance(y, rect.y, rect.y + rect.height) * 4 + distance(x, rect.x, rect.x + rect.width);
      }),
    );
  return visible.reduce((best, option) => (away(option) < away(best) ? option : best));
}

function distance(value: number, from: number, to: number): number {
  return value < from ? from - value : value > to ? value - to : 0;
}

/** Boxes of one line become one. */
function joined(list: Box[]): Box[] {
  const out: Box[] = [];
  for (const box of list) {
    const last = out.at(-1);
    const line = last && Math.abs(last.y + last.height / 2 - box.y - box.height / 2) < box.height / 2;
    if (last && line && box.x - (last.x + last.width) < box.height && box.x >= last.x - box.height) {
      const right = Math.max(last.x + last.width, box.x + box.width);
      const bottom = Math.max(last.y + last.height, box.y + box.height);
      last.x = Math.min(last.x, box.x);
      last.y = Math.min(last.y, box.y);
      last.width = right - last.x;
      last.height = bottom - last.y;
    } else out.push({ ...box });
  }
  return out;
}
