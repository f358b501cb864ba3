// The pages of a document below each other, of which only those near the view
// are drawn. Lengths are CSS pixels, pages count from 1.
import type { Folded, Span } from './fold';

export interface PageSize {
  width: number;
  height: number;
}

export interface OutlineEntry {
  title: string;
  /** From 1. */
  level: number;
  page: number;
}

/** A page that has been drawn. */
export interface DrawnPage {
  folded: Folded;
  /** CSS pixels to a point of the page. */
  perPoint: number;
  /** A part of the page's text in the text layer; null where it has none. */
  range(span: Span): Range | null;
}

/** A document of pages. Sizes are those at 100 %. */
export interface PdfFile {
  readonly count: number;
  /** What is printed on a page as its number; empty when nothing is known. */
  label(page: number): string;
  size(page: number): Promise<PageSize>;
  text(page: number): Promise<Folded>;
  /** Draws a page and lays its text over it; null when the signal came first. */
  draw(
    page: number,
    scale: number,
    canvas: HTMLCanvasElement,
    layer: HTMLElement,
    signal: AbortSignal,
  ): Promise<DrawnPage | null>;
  outline(): Promise<OutlineEntry[]>;
  close(): void;
}

/** Between two pages, and around all. */
export const gap = 20;
/** A4 at 100 %, until the first page is known. */
const usual: PageSize = { width: 794, height: 1123 };

export type Zoom = number | 'width';

export class Pages {
  readonly file: PdfFile;
  #sizes = $state.raw<ReadonlyMap<number, PageSize>>(new Map());
  zoom = $state<Zoom>('width');
  /** Of the view on the pages. */
  top = $state(0);
  width = $state(0);
  height = $state(0);

  constructor(file: PdfFile, zoom: Zoom) {
    this.file = file;
    this.zoom = zoom;
  }

  #standard = $derived(this.#sizes.get(1) ?? usual);
  #widest = $derived(Math.max(this.#standard.width, ...[...this.#sizes.values()].map((s) => s.width)));
  /** The scale of the pages; 1 at 100 %. */
  scale = $derived(
    this.zoom === 'width'
      ? Math.max(0.2, Math.min(2, (this.width - 2 * gap) / this.#widest))
      : this.zoom / 100,
  );
  /** Where each page begins, and where the last one ends. */
  #tops = $derived.by(() => {
    const tops = [gap];
    for (let page = 1; page <= this.file.count; page++) {
      tops.push((tops.at(-1) ?? 0) + this.sizeOf(page).height * this.scale + gap);
    }
    return tops;
  });
  total = $derived(this.#tops.at(-1) ?? 0);
  /** The page in the middle of the view. */
  current = $derived(this.#pageAt(this.top + this.height / 2));
  /** The pages to draw. */
  shown = $derived.by(() => {
    const from = Math.max(1, this.#pageAt(this.top) - 1);
    const to = Math.min(this.file.count, this.#pageAt(this.top + this.height) + 1);
    return Array.from({ length: to - from + 1 }, (_, i) => from + i);
  });
  /** The least room that the pages need. */
  breadth = $derived(this.#widest * this.scale + 2 * gap);

  sizeOf(page: number): PageSize {
    return this.#sizes.get(page) ?? this.#standard;
  }

  topOf(page: number): number {
    return this.#tops[page - 1] ?? 0;
  }

  #pageAt(y: number): number {
    let low = 1;
    let high = this.file.count;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.topOf(middle) - gap <= y) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Learns the size of a page. What is in view stays where it is when a page above it grows. */
  async measure(page: number): Promise<void> {
    if (this.#sizes.has(page)) return;
    const size = await this.file.size(page);
    const anchor = this.#pageAt(this.top);
    const before = this.topOf(anchor);
    this.#sizes = new Map(this.#sizes).set(page, size);
    this.top += this.topOf(anchor) - before;
  }

  /** Brings a place of a page into view, a third down. y is in points. */
  async reveal(page: number, y = 0): Promise<void> {
    await this.measure(1).catch(() => undefined);
    await this.measure(page).catch(() => undefined);
    const at = this.topOf(page) + (y * 96 * this.scale) / 72;
    this.top = Math.max(0, y > 0 ? at - this.height / 3 : at - gap);
  }

  go(page: number): Promise<void> {
    return this.reveal(Math.min(this.file.count, Math.max(1, Math.round(page))));
  }

  /** The page that a person means: its number, or what is printed on it; 0 for neither. */
  named(words: string): number {
    const wanted = words.trim();
    for (let page = 1; page <= this.file.count; page++) {
      if (wanted && this.file.label(page) === wanted && !/^\d+$/.test(wanted)) return page;
    }
    const number = Number(wanted);
    return Number.isInteger(number) && number >= 1 && number <= this.file.count ? number : 0;
  }

  /** Changes the zoom and keeps the place in the middle of the view. */
  magnify(zoom: Zoom): void {
    this.#keep(() => (this.zoom = zoom));
  }

  /** The view has another size. */
  resize(width: number, height: number): void {
    if (this.width === 0) {
      this.width = width;
      this.height = height;
    } else
      this.#keep(() => {
        this.width = width;
        this.height = height;
      });
  }

  #keep(change: () => void): void {
    const page = this.current;
    const long = () => this.sizeOf(page).height * this.scale;
    const part = (this.top + this.height / 2 - this.topOf(page)) / long();
    change();
    this.top = Math.max(0, this.topOf(page) + part * long() - this.height / 2);
  }
}
