// Markdown that grows. Finished top-level blocks are kept as they are; only the
// last one is parsed again, so a long answer costs no more at its end than at
// its beginning.
import { parsePlaced, type Block } from './markdown';

/** A block with a key that stays the same while the text grows. */
export interface KeyedBlock {
  key: number;
  block: Block;
}

export class MarkdownStream {
  blocks = $state.raw<KeyedBlock[]>([]);

  #source = '';
  #finished: KeyedBlock[] = [];
  /** Where the first unfinished block starts. */
  #tail = 0;

  constructor(source = '') {
    this.set(source);
  }

  /** The whole text so far. A text that does not continue the last one starts afresh. */
  set(source: string): void {
    if (source === this.#source && this.blocks.length > 0) return;
    if (!source.startsWith(this.#source.slice(0, this.#tail))) {
      this.#finished = [];
      this.#tail = 0;
    }
    this.#source = source;
    const text = source.slice(this.#tail);
    const lineStarts = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lineStarts.push(at + 1);
    const tail = this.#tail;
    const open = parsePlaced(text).map(({ line, block }) => ({ key: tail + (lineStarts[line] ?? 0), block }));
    const last = open.at(-1);
    if (last && open.length > 1) {
      this.#finished = [...this.#finished, ...open.slice(0, -1)];
      this.#tail = last.key;
      this.blocks = [...this.#finished, last];
    } else {
      this.blocks = [...this.#finished, ...open];
    }
  }
}
