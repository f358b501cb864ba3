// What a question is asked with: engine, mode, retriever and where to look. Null
// means the stored setting decides. Each conversation keeps its own choice.
import type { AskRequest, Setting } from '../../api';

export interface Choice {
  engine: string | null;
  mode: string | null;
  retriever: string | null;
  collection: string | null;
  /** A folder, by path. */
  folder: string | null;
}

const none: Choice = { engine: null, mode: null, retriever: null, collection: null, folder: null };

export class TurnOptions {
  #settings = $state.raw<Setting[]>([]);
  #choices = $state.raw<ReadonlyMap<number, Choice>>(new Map());
  #conversation = $state(0);

  choice = $derived(this.#choices.get(this.#conversation) ?? none);
  engines = $derived(this.#options('chat.engine'));
  modes = $derived(this.#options('chat.mode'));
  retrievers = $derived(this.#options('retrieve.retriever'));
  engine = $derived(this.choice.engine ?? this.#value('chat.engine'));
  mode = $derived(this.choice.mode ?? this.#value('chat.mode'));
  retriever = $derived(this.choice.retriever ?? this.#value('retrieve.retriever'));

  useSettings(settings: Setting[]): void {
    this.#settings = settings;
  }

  /** Switches to the choices of a conversation; 0 is the one not yet begun. */
  useConversation(id: number): void {
    this.#conversation = id;
  }

  /** The conversation not yet begun has got its id: its choices go with it. */
  begun(id: number): void {
    const choice = this.#choices.get(0);
    if (choice) {
      const next = new Map(this.#choices).set(id, choice);
      next.delete(0);
      this.#choices = next;
    }
  }

  set(part: Partial<Choice>): void {
    this.#choices = new Map(this.#choices).set(this.#conversation, { ...this.choice, ...part });
  }

  /** The part of a request that these options fill. */
  request(): Pick<AskRequest, 'engine' | 'mode' | 'retriever' | 'scope'> {
    const { engine, mode, retriever, collection, folder } = this.choice;
    return {
      ...(engine ? { engine } : {}),
      ...(mode ? { mode } : {}),
      ...(retriever ? { retriever } : {}),
      ...(collection || folder
        ? { scope: { collections: collection ? [collection] : [], path_under: folder ?? '' } }
        : {}),
    };
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
