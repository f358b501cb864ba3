import type { Backend } from '../../api';

/** A text that comes back, above what is written there already. */
export function joined(text: string, kept: string): string {
  return [text, kept].filter((part) => part.trim() !== '').join('\n');
}

/** Texts of composers, kept by the program for each conversation; 0: of a new one. */
export class Drafts {
  #backend: Backend;
  /** Drafts on their way to the program: none is read before they are there. */
  #storing: Promise<unknown> = Promise.resolve();

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /** A draft that cannot be stored is lost when the window closes, not before. */
  store(id: number, text: string): Promise<void> {
    const stored = this.#backend.setDraft(id, text).catch(() => undefined);
    this.#storing = Promise.all([this.#storing, stored]);
    return stored;
  }

  async read(id: number): Promise<string> {
    await this.#storing;
    return this.#backend.draft(id).catch(() => '');
  }

  /** Joins a text to a stored draft; rejects where there is no such conversation any more. */
  join(id: number, text: string): Promise<void> {
    const stored = this.#storing.then(async () =>
      this.#backend.setDraft(id, joined(text, await this.#backend.draft(id))),
    );
    this.#storing = stored.catch(() => undefined);
    return stored;
  }
}
