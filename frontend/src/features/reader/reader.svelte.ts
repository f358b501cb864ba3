// The document beside the conversation: its text with the cited passages marked,
// or the stored passage where the file has changed or is gone.
import { type Backend, type Locator, toApiError } from '../../api';
import { recall, remember } from '../../ui/memory';
import { type CitedPassage, findMarks, type Mark, paragraphs } from './place';

/** What to open. */
export interface Opening {
  document: number;
  path: string;
  title: string;
  locator: Locator;
  /** The passage to go to; null: the beginning. */
  n: number | null;
  /** Passages of this document that the answer rests on. */
  passages: CitedPassage[];
}

/** Paragraphs shown before and after the mark, and added at each step. */
const span = 200;

export class ReaderModel {
  opening = $state.raw<Opening | null>(null);
  loading = $state(false);
  text = $state('');
  pages = $state(0);
  /** The file no longer holds the passage; the stored passage is shown. */
  changed = $state(false);
  missing = $state(false);
  problem = $state<string | null>(null);
  marks = $state.raw<Mark[]>([]);
  /** Index of the current mark. */
  at = $state(0);
  zoom = $state(100);
  #before = $state(span);
  #after = $state(span);

  #backend: Backend;
  #opens = 0;

  constructor(backend: Backend) {
    this.#backend = backend;
    const kept = Number(recall('reader.zoom'));
    if (kept >= 50 && kept <= 200) this.zoom = kept;
  }

  open = $derived(this.opening !== null);
  current = $derived(this.marks[this.at] ?? null);
  all = $derived(paragraphs(this.text, this.marks));
  #centre = $derived(
    Math.max(
      0,
      this.all.findIndex((p) => this.current !== null && p.inside.includes(this.current.n)),
    ),
  );
  #from = $derived(Math.max(0, this.#centre - this.#before));
  #to = $derived(Math.min(this.all.length, this.#centre + this.#after));
  shown = $derived(this.all.slice(this.#from, this.#to));
  hasEarlier = $derived(this.#from > 0);
  hasLater = $derived(this.#to < this.all.length);

  async show(opening: Opening): Promise<void> {
    const run = ++this.#opens;
    const same =
      this.opening?.document === opening.document && !this.missing && !this.changed && this.text !== '';
    this.opening = opening;
    this.problem = null;
    if (!same) {
      this.text = '';
      this.marks = [];
      this.loading = true;
      this.changed = false;
      this.missing = false;
      this.pages = 0;
      try {
        const document = await this.#backend.documentText(opening.document);
        if (run !== this.#opens) return;
        this.text = document.text;
        this.pages = document.pages;
      } catch (cause) {
        if (run !== this.#opens) return;
        this.missing = true;
        if (opening.passages.length === 0) this.problem = toApiError(cause).sentence;
      }
    }
    this.#mark(opening);
    const wanted = opening.passages.find((p) => p.n === opening.n);
    if (wanted && !this.marks.some((mark) => mark.n === wanted.n)) await this.#showStored(wanted, run);
    if (run === this.#opens) this.loading = false;
  }

  close(): void {
    this.#opens++;
    this.opening = null;
    this.loading = false;
  }

  /** Goes to the next or previous mark, round and round. */
  step(by: 1 | -1): void {
    const count = this.marks.length;
    if (count === 0) return;
    this.at = (this.at + by + count) % count;
    this.#before = span;
    this.#after = span;
  }

  showEarlier(): void {
    this.#before += span;
  }

  showLater(): void {
    this.#after += span;
  }

  magnify(by: number): void {
    this.zoom = Math.min(200, Math.max(50, this.zoom + by));
    remember('reader.zoom', String(this.zoom));
  }

  #mark(opening: Opening): void {
    this.marks = findMarks(this.text, opening.passages);
    this.at = Math.max(
      0,
      this.marks.findIndex((mark) => mark.n === opening.n),
    );
    this.#before = span;
    this.#after = span;
  }

  /** Shows the passage as it was stored, with what stood around it. */
  async #showStored(wanted: CitedPassage, run: number): Promise<void> {
    let before = '';
    let after = '';
    try {
      const stored = await this.#backend.passage(wanted.chunk);
      before = stored.before;
      after = stored.after;
      if (stored.missing) this.missing = true;
    } catch {
      // The turn keeps its own copy of the passage.
      this.missing = true;
    }
    if (run !== this.#opens) return;
    this.changed = !this.missing;
    this.text = [before, wanted.text, after].filter(Boolean).join('\n');
    this.marks = findMarks(this.text, [wanted]);
    this.at = 0;
  }
}
