// How the reader is opened, on a cited passage or on a file, and left again.
import { tick } from 'svelte';
import type { FileRow, Hit } from '../api';
import type { Turn } from '../features/chat/turn.svelte';
import type { CitedPassage } from '../features/reader/place';
import type { ReaderModel } from '../features/reader/reader.svelte';

export class Opening {
  #reader: ReaderModel;
  /** Where the focus was before the reader opened. */
  #before: Element | null = null;

  constructor(reader: ReaderModel) {
    this.#reader = reader;
  }

  async passage(hit: Hit, turn: Turn): Promise<void> {
    this.#before = document.activeElement;
    await this.#reader.show({
      document: hit.document,
      path: hit.path,
      title: hit.title,
      locator: hit.locator,
      n: hit.n,
      passages: citedPassages(turn, hit.document),
    });
  }

  async file(file: FileRow): Promise<void> {
    this.#before = document.activeElement;
    await this.#reader.show({
      document: file.id,
      path: file.path,
      title: file.title ?? file.name,
      locator: {},
      n: null,
      passages: [],
    });
  }

  /** Closes the reader; the focus goes back to where it was. */
  async close(): Promise<void> {
    this.#reader.close();
    await tick();
    if (this.#before instanceof HTMLElement && this.#before.isConnected) this.#before.focus();
  }
}

/** The passages of a turn that stand in one document, in citation order. */
export function citedPassages(turn: Turn, document: number): CitedPassage[] {
  const citations = turn.done?.citations ?? [];
  return turn.packed
    .filter((hit) => hit.document === document)
    .map((hit) => ({
      n: hit.n ?? 0,
      chunk: hit.chunk,
      text: hit.text,
      spans: citations.filter((c) => c.n === hit.n && c.end > c.start),
    }));
}
