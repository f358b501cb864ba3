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
      passages: citedPassages(turn, hit),
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

/**
 * The passages that an answer rests on, in the order of their numbers: those it
 * cites and the one that is opened.
 */
export function citedPassages(turn: Turn, opened: Hit): CitedPassage[] {
  const citations = turn.done?.citations ?? [];
  return turn.packed
    .filter((hit) => hit.n === opened.n || citations.some((c) => c.n === hit.n))
    .map((hit) => ({
      n: hit.n ?? 0,
      chunk: hit.chunk,
      hash: hit.content_hash,
      document: hit.document,
      path: hit.path,
      title: hit.title,
      locator: hit.locator,
      text: hit.text,
      class: hit.class,
      pinned: hit.pinned,
      spans: citations.filter((c) => c.n === hit.n && c.end > c.start),
    }))
    .sort((a, b) => a.n - b.n);
}
