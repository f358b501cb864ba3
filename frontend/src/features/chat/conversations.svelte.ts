// The list of conversations: search, pin, rename, delete and its undo.
import { type Backend, type Conversation, type ConversationMatch, toApiError } from '../../api';

export class ConversationList {
  all = $state.raw<Conversation[]>([]);
  loaded = $state(false);
  search = $state('');
  /** What the search found; null: no search. */
  found = $state.raw<ConversationMatch[] | null>(null);
  /** The conversation whose title is being edited. */
  renaming = $state<number | null>(null);
  /** The conversation that was deleted last and can still come back. */
  deleted = $state.raw<Conversation | null>(null);
  problem = $state<string | null>(null);

  shown = $derived(this.found ?? this.all);

  #backend: Backend;
  #searches = 0;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  async load(): Promise<void> {
    await this.#guard(async () => {
      this.all = await this.#backend.conversations();
    });
    this.loaded = true;
  }

  async find(text: string): Promise<void> {
    this.search = text;
    const run = ++this.#searches;
    if (text.trim() === '') {
      this.found = null;
      return;
    }
    await this.#guard(async () => {
      const found = await this.#backend.searchConversations(text);
      // A later search has its own answer.
      if (run === this.#searches) this.found = found;
    });
  }

  async rename(id: number, title: string): Promise<void> {
    this.renaming = null;
    const clean = title.trim();
    const old = this.all.find((c) => c.id === id);
    if (!clean || !old || clean === old.title) return;
    await this.#guard(async () => {
      await this.#backend.renameConversation(id, clean);
      const change = <C extends Conversation>(c: C): C => (c.id === id ? { ...c, title: clean } : c);
      this.all = this.all.map(change);
      this.found = this.found?.map(change) ?? null;
    });
  }

  async pin(id: number, pinned: boolean): Promise<void> {
    await this.#guard(async () => {
      await this.#backend.pinConversation(id, pinned);
      const change = <C extends Conversation>(c: C): C => (c.id === id ? { ...c, pinned } : c);
      this.all = this.all.map(change);
      this.found = this.found?.map(change) ?? null;
    });
  }

  async remove(id: number): Promise<void> {
    const gone = this.all.find((c) => c.id === id) ?? null;
    await this.#guard(async () => {
      await this.#backend.deleteConversation(id);
      this.all = this.all.filter((c) => c.id !== id);
      this.found = this.found?.filter((c) => c.id !== id) ?? null;
      this.deleted = gone;
    });
  }

  /** Brings the last deleted conversation back and returns its id. */
  async undo(): Promise<number | null> {
    const gone = this.deleted;
    if (!gone) return null;
    this.deleted = null;
    await this.#guard(async () => {
      await this.#backend.restoreConversation(gone.id);
      this.all = await this.#backend.conversations();
    });
    return gone.id;
  }

  /** The words around what a search found. */
  snippet(id: number): string | null {
    return this.found?.find((c) => c.id === id)?.snippet || null;
  }

  title(id: number | null): string | null {
    return this.shown.find((c) => c.id === id)?.title ?? this.all.find((c) => c.id === id)?.title ?? null;
  }

  async #guard(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.problem = null;
    } catch (cause) {
      this.problem = toApiError(cause).sentence;
    }
  }
}
