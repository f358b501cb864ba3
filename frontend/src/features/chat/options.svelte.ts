// What a question is asked with: engine, mode, retriever and where to look. Null
// means the stored setting decides. Each conversation keeps its own choice, and
// the program stores it.
import type { AskRequest, ConversationOptions, Scope, Setting } from '../../api';

export interface Choice {
  engine: string | null;
  mode: string | null;
  retriever: string | null;
  /** How many earlier messages the answer model sees. */
  history: number | null;
  collection: string | null;
  /** More collections, chosen outside of the window. */
  others: readonly string[];
  /** A folder, by path. */
  folder: string | null;
  /** What narrows the search besides, chosen outside of the window. */
  beyond: Pick<Scope, 'types' | 'documents'>;
}

const none: Choice = {
  engine: null,
  mode: null,
  retriever: null,
  history: null,
  collection: null,
  others: [],
  folder: null,
  beyond: {},
};

export class TurnOptions {
  #settings = $state.raw<Setting[]>([]);
  #choices = $state.raw<ReadonlyMap<number, Choice>>(new Map());
  #conversation = $state(0);
  #store: (conversation: number, options: ConversationOptions) => Promise<void>;
  #stored: Promise<void> = Promise.resolve();

  choice = $derived(this.#choices.get(this.#conversation) ?? none);
  engines = $derived(this.#options('chat.engine'));
  modes = $derived(this.#options('chat.mode'));
  retrievers = $derived(this.#options('retrieve.retriever'));
  engine = $derived(this.choice.engine ?? this.#value('chat.engine'));
  mode = $derived(this.choice.mode ?? this.#value('chat.mode'));
  retriever = $derived(this.choice.retriever ?? this.#value('retrieve.retriever'));
  history = $derived(this.choice.history ?? Number(this.#value('chat.history') || 0));
  /** Every collection that is looked in; none: all. */
  collections = $derived(this.choice.collection ? [this.choice.collection, ...this.choice.others] : []);
  /** The only files that are looked in; none: all. */
  documents = $derived(this.choice.beyond.documents ?? []);
  /** How many messages can be shown to the answer model at most. */
  historyMost = $derived(this.#setting('chat.history')?.max ?? 0);
  /** Whether something behind the button differs from the settings. */
  hiddenChoice = $derived(
    this.choice.retriever !== null ||
      this.choice.folder !== null ||
      this.choice.history !== null ||
      this.choice.others.length > 0 ||
      this.documents.length > 0,
  );

  /** store keeps the choice of a conversation; it never rejects. */
  constructor(store: (conversation: number, options: ConversationOptions) => Promise<void>) {
    this.#store = store;
  }

  useSettings(settings: Setting[]): void {
    this.#settings = settings;
  }

  /** Switches to the choices of a conversation; 0 is the one not yet begun. */
  useConversation(id: number): void {
    this.#conversation = id;
  }

  /** Takes in what is stored for a conversation. */
  restore(id: number, stored: ConversationOptions | undefined): void {
    if (!stored) return;
    const { collections, path_under, ...beyond } = stored.scope;
    const retriever = this.#choices.get(id)?.retriever ?? null;
    this.#choose(id, {
      engine: stored.engine || null,
      mode: stored.mode || null,
      retriever,
      history: stored.history,
      collection: collections?.[0] ?? null,
      others: collections?.slice(1) ?? [],
      folder: path_under || null,
      beyond,
    });
  }

  /** The conversation not yet begun has got its id: its choices go with it. */
  begun(id: number): void {
    const choice = this.#choices.get(0);
    if (!choice) return;
    this.#choose(id, choice);
    const rest = new Map(this.#choices);
    rest.delete(0);
    this.#choices = rest;
    this.#save(id, choice);
  }

  set(part: Partial<Choice>): void {
    const others = 'collection' in part ? (part.others ?? []) : this.choice.others;
    const choice = { ...this.choice, others, ...part };
    this.#choose(this.#conversation, choice);
    if (this.#conversation !== 0) this.#save(this.#conversation, choice);
  }

  /** Looks in a collection too, or no longer. */
  lookIn(collection: string, on: boolean): void {
    const rest = this.collections.filter((name) => name !== collection);
    const [first, ...others] = on ? [...rest, collection] : rest;
    this.set({ collection: first ?? null, others });
  }

  /** Looks in a file only, beside other such files, or no longer. */
  lookInFile(document: number, on: boolean): void {
    const rest = this.documents.filter((id) => id !== document);
    this.set({ beyond: { ...this.choice.beyond, documents: on ? [...rest, document] : rest } });
  }

  /** Settles when the program has stored every choice so far. */
  saved(): Promise<void> {
    return this.#stored;
  }

  /** The part of a request that these options fill. */
  request(): Pick<AskRequest, 'engine' | 'mode' | 'retriever' | 'scope'> {
    const { engine, mode, retriever } = this.choice;
    const scope = scopeOf(this.choice);
    const narrows =
      scope.collections.length + (scope.types?.length ?? 0) + (scope.documents?.length ?? 0) > 0 ||
      scope.path_under !== '';
    return {
      ...(engine ? { engine } : {}),
      ...(mode ? { mode } : {}),
      ...(retriever ? { retriever } : {}),
      ...(narrows ? { scope } : {}),
    };
  }

  #choose(id: number, choice: Choice): void {
    this.#choices = new Map(this.#choices).set(id, choice);
  }

  #save(id: number, choice: Choice): void {
    const options = {
      engine: choice.engine ?? '',
      mode: choice.mode ?? '',
      history: choice.history,
      scope: scopeOf(choice),
    };
    this.#stored = this.#stored.then(() => this.#store(id, options));
  }

  #setting(key: string): Setting | undefined {
    return this.#settings.find((setting) => setting.key === key);
  }

  #options(key: string): string[] {
    return this.#setting(key)?.options ?? [];
  }

  #value(key: string): string {
    return this.#setting(key)?.value ?? '';
  }
}

function scopeOf({ collection, others, folder, beyond }: Choice): Scope {
  return { ...beyond, collections: collection ? [collection, ...others] : [], path_under: folder ?? '' };
}

/** The lengths of history to choose from: whole exchanges, and what is in force. */
export function historySteps(most: number, current: number): number[] {
  const even = Array.from({ length: Math.floor(most / 2) + 1 }, (_, i) => 2 * i);
  return [...new Set([...even, current])].filter((n) => n <= most).sort((a, b) => a - b);
}
