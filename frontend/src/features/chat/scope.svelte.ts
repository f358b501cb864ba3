// Single files that a conversation looks in: found by name, kept by number.
import { SvelteMap } from 'svelte/reactivity';
import { type Backend, type FileRow, toApiError } from '../../api';
import { m } from '../../paraglide/messages';

/** Files offered at once. */
const offered = 8;

export class ScopeFiles {
  search = $state('');
  /** Null: nothing is looked for. */
  found = $state.raw<FileRow[] | null>(null);
  problem = $state<string | null>(null);

  #names = new SvelteMap<number, string>();
  #asked = 0;
  #backend: Backend;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  async find(text: string): Promise<void> {
    this.search = text;
    const asked = ++this.#asked;
    if (text.trim() === '') {
      this.found = null;
      return;
    }
    try {
      const { files } = await this.#backend.files({ search: text.trim(), offset: 0, limit: offered });
      if (asked !== this.#asked) return;
      this.found = files.filter((file) => file.chunks > 0);
      this.problem = null;
    } catch (cause) {
      if (asked === this.#asked) this.problem = toApiError(cause).sentence;
    }
  }

  /** Remembers the name of a file that was chosen, and ends the search. */
  chose(file: FileRow): void {
    this.#names.set(file.id, file.name);
    void this.find('');
  }

  /** Looks up the names of files that were chosen earlier. */
  async know(documents: readonly number[]): Promise<void> {
    for (const id of documents) {
      if (this.#names.has(id)) continue;
      this.#names.set(id, '');
      try {
        this.#names.set(id, (await this.#backend.documentText(id)).title);
      } catch {
        // It has left the library: it is named so.
      }
    }
  }

  name(document: number): string {
    return this.#names.get(document) || m.scope_unknown_file();
  }
}
