// Search in the document that is open: over its text, or over page after page.
import { fold, type Folded, places, type Span } from './fold';

/** What is searched: one text, or one for each page. */
export interface Searchable {
  count: number;
  text(index: number): Promise<Folded> | Folded;
}

export interface Match extends Span {
  /** Which text it stands in, from 0. */
  index: number;
}

/** More places than this help nobody. */
const most = 2000;

export class Finder {
  open = $state(false);
  query = $state('');
  busy = $state(false);
  matches = $state.raw<Match[]>([]);
  at = $state(0);
  #run = 0;

  current = $derived(this.matches[this.at] ?? null);
  /** There are more places than are counted. */
  capped = $derived(this.matches.length >= most);

  /** Looks for a text; the first place from the given text on becomes the current one. */
  async find(query: string, where: Searchable, from = 0): Promise<void> {
    const run = ++this.#run;
    this.query = query;
    this.matches = [];
    this.at = 0;
    const needle = fold(query).text.trim();
    this.busy = needle !== '';
    if (!this.busy) return;
    let chosen = false;
    for (let index = 0; index < where.count && this.matches.length < most; index++) {
      let text: Folded;
      try {
        text = await where.text(index);
      } catch {
        continue; // a page that cannot be read holds nothing to find
      }
      if (run !== this.#run) return;
      const found = places(text, needle, most - this.matches.length);
      if (found.length === 0) continue;
      if (!chosen && index >= from) {
        chosen = true;
        this.at = this.matches.length;
      }
      this.matches = [...this.matches, ...found.map((span) => ({ ...span, index }))];
    }
    this.busy = false;
  }

  /** Goes to the next or previous place, round and round. */
  step(by: 1 | -1): void {
    const count = this.matches.length;
    if (count > 0) this.at = (this.at + by + count) % count;
  }

  close(): void {
    this.#run++;
    this.open = false;
    this.busy = false;
    this.query = '';
    this.matches = [];
    this.at = 0;
  }
}
