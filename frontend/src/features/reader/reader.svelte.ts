// The document beside the conversation: its pages, its picture or its text, with
// the passages marked that the answer rests on; or the stored passage where the
// file has changed or is gone.
import {
  type Backend,
  documentAddress,
  type DocumentText,
  type FileRow,
  type Locator,
  toApiError,
} from '../../api';
import { recall, remember } from '../../ui/memory';
import { blocks, type Block } from './blocks';
import { Finder, type Searchable } from './find.svelte';
import { fold } from './fold';
import { type OutlineEntry, Pages, type PdfFile } from './pages.svelte';
import { type CitedPassage, citedWords, findMarks, type Mark } from './place';

/** What to open. */
export interface Opening {
  document: number;
  path: string;
  title: string;
  locator: Locator;
  /** The passage to go to; null: the beginning. */
  n: number | null;
  /** The passages that the answer rests on, in their order; also of other documents. */
  passages: CitedPassage[];
}

/** What lies over one page. Rectangles are in points. */
export interface PageMark {
  n: number;
  rects: NonNullable<Locator['rects']>;
  /** Cited words to look for on the page. */
  words: string[];
  current: boolean;
}

/** Blocks of text shown before and after the mark, and added at each step. */
const span = 200;
export const zooms = { least: 80, most: 200, step: 10 };

/** Loads the PDF reader and opens a document with it. */
export type OpenPdf = (address: string) => Promise<PdfFile>;
const onFirstUse: OpenPdf = async (address) => (await import('./pdf')).openPdf(address);

export class ReaderModel {
  opening = $state.raw<Opening | null>(null);
  loading = $state(false);
  document = $state.raw<DocumentText | null>(null);
  /** The file in the ledger: how long its text holds; null: not in it. */
  file = $state.raw<FileRow | null>(null);
  /** The passage as the turn has stored it, where the document no longer has it. */
  #stored = $state.raw<{ n: number; text: string } | null>(null);
  /** The document has left the library. */
  missing = $state(false);
  problem = $state<string | null>(null);
  /** The person wants the document as it is now, although the passage is gone. */
  asItIsNow = $state(false);
  /** The person wants the text of what could be shown as pages. */
  asText = $state(false);
  pages = $state.raw<Pages | null>(null);
  outline = $state.raw<OutlineEntry[]>([]);
  outlineOpen = $state(false);
  /** The picture cannot be shown here. */
  pictureFailed = $state(false);
  zoom = $state(100);
  /** The paper is dimmed in the dark; the person may want it white. */
  white = $state(recall('reader.white') === 'true');
  /** Counts the steps, so that a step to the same place is one too. */
  steps = $state(0);
  readonly finder = new Finder();

  #before = $state(span);
  #after = $state(span);
  #backend: Backend;
  #openPdf: OpenPdf;
  #opens = 0;

  constructor(backend: Backend, openPdf: OpenPdf = onFirstUse) {
    this.#backend = backend;
    this.#openPdf = openPdf;
    const kept = Number(recall('reader.zoom'));
    if (kept >= zooms.least && kept <= zooms.most) this.zoom = kept;
  }

  open = $derived(this.opening !== null);
  #own = $derived(this.opening?.passages.filter((p) => p.document === this.opening?.document) ?? []);
  #nowMarks = $derived(this.document ? findMarks(this.document.text, this.#own, this.document.parts) : []);
  /** The passage that was asked for is no longer in the document. */
  changed = $derived(this.#stored !== null && !this.missing);
  /** What is shown is the passage as the turn has stored it. */
  showsStored = $derived(this.#stored !== null && !this.asItIsNow);
  text = $derived(this.showsStored ? (this.#stored?.text ?? '') : (this.document?.text ?? ''));
  marks = $derived.by<Mark[]>(() => {
    if (!this.showsStored) return this.#nowMarks;
    return findMarks(
      this.text,
      this.#own.filter((p) => p.n === this.#stored?.n),
    );
  });
  /** The passage that is gone to. */
  passage = $derived(this.opening?.passages.find((p) => p.n === this.opening?.n) ?? null);
  current = $derived(this.marks.find((mark) => mark.n === this.opening?.n) ?? null);
  /** The place of the passage among those of the answer, from 1. */
  at = $derived((this.opening?.passages.findIndex((p) => p.n === this.opening?.n) ?? -1) + 1);
  view = $derived.by<'pages' | 'picture' | 'text'>(() => {
    if (this.showsStored || this.asText) return 'text';
    if (this.pages) return 'pages';
    const shown = this.document;
    return shown?.kind === 'image' && shown.version !== '' ? 'picture' : 'text';
  });
  /** The document can be shown as pages as well as text. */
  hasPages = $derived(this.pages !== null);
  address = $derived(
    this.opening && this.document?.version
      ? documentAddress(this.opening.document, this.document.version)
      : '',
  );

  all = $derived<Block[]>(
    blocks(this.text, this.showsStored ? 'text' : (this.document?.kind ?? ''), this.#parts()),
  );
  #centre = $derived.by(() => {
    const at = this.finder.open ? (this.finder.current ?? this.current) : this.current;
    return Math.max(
      0,
      this.all.findIndex((block) => at && block.kind !== 'place' && block.end > at.start),
    );
  });
  #from = $derived(Math.max(0, this.#centre - this.#before));
  #to = $derived(Math.min(this.all.length, this.#centre + this.#after));
  shown = $derived(this.all.slice(this.#from, this.#to));
  hasEarlier = $derived(this.#from > 0);
  hasLater = $derived(this.#to < this.all.length);

  #parts() {
    return this.showsStored ? [] : (this.document?.parts ?? []);
  }

  /** What lies over a page: rectangles where the file is the one that was read, and cited words to look for. */
  marksOn(page: number): PageMark[] {
    return this.#own.flatMap((passage) => {
      const { page: first, page_to, rects } = passage.locator;
      if (!first || page < first || page > Math.max(first, page_to ?? 0)) return [];
      const mark = this.#nowMarks.find((m) => m.n === passage.n);
      if (!mark) return [];
      const trusted = page === first && mark.locator !== null && this.document?.state === 'same';
      return [
        {
          n: passage.n,
          rects: trusted ? (rects ?? []) : [],
          words: citedWords(passage),
          current: passage.n === this.opening?.n,
        },
      ];
    });
  }

  async show(opening: Opening): Promise<void> {
    const run = ++this.#opens;
    const same = this.opening?.document === opening.document && this.document !== null && !this.missing;
    this.opening = opening;
    this.problem = null;
    this.#stored = null;
    this.asItIsNow = false;
    this.#restart();
    if (!same) {
      this.#leave();
      this.loading = true;
      try {
        const document = await this.#backend.documentText(opening.document);
        if (run !== this.#opens) return;
        this.document = document;
        void this.#readFile(run, document.path);
        if (document.kind === 'pdf' && document.version !== '') await this.#load(run);
      } catch (cause) {
        if (run !== this.#opens) return;
        this.missing = true;
        if (opening.passages.length === 0) this.problem = toApiError(cause).sentence;
      }
      if (run !== this.#opens) return;
    }
    const wanted = this.passage;
    // The turn keeps its own copy of the passage; one that was erased has no words.
    if (wanted?.text && !this.#nowMarks.some((mark) => mark.n === wanted.n))
      this.#stored = { n: wanted.n, text: wanted.text };
    this.loading = false;
    this.steps++;
  }

  async #readFile(run: number, path: string): Promise<void> {
    this.file = null;
    if (!path) return;
    try {
      const found = await this.#backend.files({ search: path, offset: 0, limit: 50 });
      if (run === this.#opens) this.file = found.files.find((file) => file.path === path) ?? null;
    } catch {
      // The document is read without it.
    }
  }

  /** Corrects how long the text of the document is taken to hold. */
  async classify(name: string): Promise<void> {
    const { file } = this;
    if (!file) return;
    try {
      await this.#backend.setClass(file.path, name);
      this.file = { ...file, class: name };
    } catch (cause) {
      this.problem = toApiError(cause).sentence;
    }
  }

  /** Opens the pages. A file that cannot be drawn is still there as text. */
  async #load(run: number): Promise<void> {
    try {
      const file = await this.#openPdf(this.address);
      if (run !== this.#opens) {
        file.close();
        return;
      }
      const pages = new Pages(file, recall('reader.fit') === 'false' ? this.zoom : 'width');
      await pages.measure(1);
      if (run !== this.#opens) {
        file.close();
        return;
      }
      this.pages = pages;
      void file.outline().then(
        (outline) => run === this.#opens && (this.outline = outline),
        () => undefined,
      );
    } catch {
      this.pages = null;
    }
  }

  #leave(): void {
    this.pages?.file.close();
    this.pages = null;
    this.document = null;
    this.missing = false;
    this.asText = false;
    this.pictureFailed = false;
    this.outline = [];
    this.outlineOpen = false;
    this.finder.close();
  }

  #restart(): void {
    this.#before = span;
    this.#after = span;
  }

  close(): void {
    this.#opens++;
    this.#leave();
    this.#stored = null;
    this.opening = null;
    this.loading = false;
  }

  /** Goes to the next or previous passage of the answer, round and round, into another document if need be. */
  step(by: 1 | -1): void {
    const opening = this.opening;
    const count = opening?.passages.length ?? 0;
    if (!opening || count === 0) return;
    const now = this.at - 1;
    const to = opening.passages[now < 0 ? (by > 0 ? 0 : count - 1) : (now + by + count) % count];
    if (!to) return;
    const { document, path, title, locator, n } = to;
    void this.show({ ...opening, document, path, title, locator, n });
  }

  showEarlier(): void {
    this.#before += span;
  }

  showLater(): void {
    this.#after += span;
  }

  /** Makes everything larger or smaller, from what is seen now. */
  magnify(by: number): void {
    const seen = this.view === 'pages' && this.pages ? Math.round(this.pages.scale * 100) : this.zoom;
    const next = by > 0 ? Math.floor(seen / by) * by + by : Math.ceil(seen / by) * by + by;
    this.zoom = Math.min(zooms.most, Math.max(zooms.least, next));
    remember('reader.zoom', String(this.zoom));
    remember('reader.fit', 'false');
    this.pages?.magnify(this.zoom);
  }

  fitWidth(): void {
    remember('reader.fit', 'true');
    this.pages?.magnify('width');
  }

  toggleWhite(): void {
    this.white = !this.white;
    remember('reader.white', String(this.white));
  }

  toggleText(): void {
    this.asText = !this.asText;
    const query = this.finder.query;
    if (this.finder.open) void this.find(query);
    this.steps++;
  }

  /** Shows the document as it is now, or the passage as it was. */
  toggleStored(): void {
    this.asItIsNow = !this.asItIsNow;
    this.finder.close();
    this.steps++;
  }

  find(query: string): Promise<void> {
    const pages = this.view === 'pages' ? this.pages : null;
    const where: Searchable = pages
      ? { count: pages.file.count, text: (index) => pages.file.text(index + 1) }
      : { count: 1, text: () => this.#folded };
    return this.finder.find(query, where, pages ? pages.current - 1 : 0);
  }
  #folded = $derived(fold(this.text));
}
