// The conversation on screen: its turns, the question being written, and the one
// turn that runs. Nothing here knows the page.
import { type AskRequest, type Backend, toApiError } from '../../api';
import { m } from '../../paraglide/messages';
import { ConversationList } from './conversations.svelte';
import { Drafts, joined } from './drafts';
import { EvidenceState } from './evidence.svelte';
import { ConversationImport } from './importing.svelte';
import { conversationFile, type ExportKind } from './exporting';
import { Holding } from './holding';
import { TurnOptions } from './options.svelte';
import { ScopeFiles } from './scope.svelte';
import { tellStep } from './telling';
import { Turn } from './turn.svelte';

/** What the chat needs from around it. */
export interface ChatSurroundings {
  backend: Backend;
  /** Says a sentence to a screen reader; urgent ones interrupt. */
  announce: (sentence: string, urgent?: boolean) => void;
  clock: () => number;
  newId: () => string;
  /** Runs after a pause and forgets earlier calls; used for drafts. */
  later: (work: () => void) => void;
}

/** How long the last event may come after the call has ended, in milliseconds. */
const patience = 5000;

/** How a question is to be searched, other than by the engine. */
export type SearchWish = Pick<AskRequest, 'edited_query' | 'own_words' | 'again' | 'same_evidence'>;

export class ChatState {
  readonly list: ConversationList;
  readonly options = new TurnOptions((id, options) =>
    this.#backend.setConversationOptions(id, options).catch((cause: unknown) => {
      this.problem = toApiError(cause).sentence;
    }),
  );
  readonly evidence = new EvidenceState();
  /** What is kept of a passage, in the evidence and in the Reader. */
  readonly holds: Holding;
  readonly importing: ConversationImport;
  readonly scopeFiles: ScopeFiles;

  /** Null: a conversation that is not yet begun. */
  conversation = $state<number | null>(null);
  turns = $state.raw<Turn[]>([]);
  loading = $state(false);
  problem = $state<string | null>(null);
  /** The text in the composer. */
  text = $state('');
  /** A question that waits until the running one ends. */
  queued = $state<string | null>(null);
  running = $state.raw<Turn | null>(null);
  samples = $state.raw<string[]>([]);

  #around: ChatSurroundings;
  #backend: Backend;
  #runningIn: number | null = null;
  #opens = 0;
  /** Counts the pages that were turned to: a question waits for the page it was written on. */
  #page = 0;
  #queuedOn = 0;
  /** Whose draft the waiting question becomes if it is not asked; 0: of a new page. */
  #queuedIn = 0;
  /** The turn that begins the conversation in which a question waits. */
  #queuedBehind: Turn | null = null;
  /** Typed, and not stored yet. */
  #draft: { id: number; text: string } | null = null;
  /** Counts what was typed: it wins over a stored draft that arrives later. */
  #written = 0;
  #drafts: Drafts;
  /** The stored draft of the page on screen, while it is on its way. */
  #arriving: Promise<void> | null = null;

  constructor(around: ChatSurroundings) {
    this.#around = around;
    this.#backend = around.backend;
    this.#drafts = new Drafts(around.backend);
    this.list = new ConversationList(around.backend);
    this.scopeFiles = new ScopeFiles(around.backend);
    this.importing = new ConversationImport(around.backend);
    this.holds = new Holding({
      backend: around.backend,
      evidence: this.evidence,
      announce: around.announce,
      fail: (sentence) => (this.problem = sentence),
    });
  }

  /** Loads the list and listens to turns; the result ends it. */
  start(): () => void {
    const off = this.#backend.onTurn(({ id, events }) => {
      const turn = this.running;
      if (turn?.key !== id) return;
      const before = turn.phase;
      turn.apply(events);
      tellStep(turn, before, this.#around.announce);
    });
    void this.list.load();
    void this.#turnTo(null);
    this.#backend.demo().then(
      (samples) => (this.samples = samples),
      () => (this.samples = []),
    );
    return off;
  }

  async open(id: number): Promise<void> {
    const run = ++this.#opens;
    const draft = this.#turnTo(id);
    this.options.useConversation(id);
    this.loading = true;
    this.problem = null;
    try {
      const detail = await this.#backend.conversation(id);
      if (run !== this.#opens) return;
      this.options.restore(id, detail.conversation.options);
      this.turns = detail.turns.map((turn) => Turn.stored(turn));
      if (this.running && this.#runningIn === id) this.turns = [...this.turns, this.running];
      this.evidence.show(this.turns.at(-1) ?? null);
    } catch (cause) {
      if (run !== this.#opens) return;
      this.turns = [];
      this.evidence.show(null);
      this.problem = toApiError(cause).sentence;
    } finally {
      if (run === this.#opens) this.loading = false;
    }
    await draft;
  }

  /** Asks anew for the turns that are shown, after the language has changed. */
  async sayAgain(): Promise<void> {
    if (this.conversation !== null && !this.running) await this.open(this.conversation);
  }

  /** Starts with an empty page; the conversation is stored with its first answer. */
  async begin(): Promise<void> {
    this.#opens++;
    const draft = this.#turnTo(null);
    this.loading = false;
    this.options.useConversation(0);
    this.turns = [];
    this.problem = null;
    this.evidence.show(null);
    await draft;
  }

  write(text: string): void {
    this.text = text;
    this.#written++;
    const draft = { id: this.conversation ?? 0, text };
    if (this.#draft && this.#draft.id !== draft.id) void this.keepDraft();
    this.#draft = draft;
    this.#around.later(() => void this.keepDraft());
  }

  /** Stores what was typed last, if it waits: the window may be about to close. */
  async keepDraft(): Promise<void> {
    const draft = this.#draft;
    this.#draft = null;
    if (draft) await this.#drafts.store(draft.id, draft.text);
  }

  /** Asks what stands in the composer, or lets it wait. */
  async submit(): Promise<void> {
    const question = this.text.trim();
    if (!question) return;
    this.write('');
    if (!this.running) return this.ask(question);
    const elsewhere = this.#queuedOn === this.#page ? null : this.queued;
    const back = elsewhere === null ? null : this.#join(elsewhere, this.#queuedIn);
    this.queued = elsewhere === null && this.queued ? `${this.queued}\n${question}` : question;
    this.#queuedOn = this.#page;
    this.#queuedIn = this.#shown;
    this.#queuedBehind = this.turns.includes(this.running) ? this.running : null;
    await back;
  }

  /** Asks a question and waits until the turn has ended. */
  async ask(question: string, wish: SearchWish = {}): Promise<void> {
    if (this.running) return;
    const conversation = this.conversation;
    const request: AskRequest = {
      id: this.#around.newId(),
      conversation,
      question,
      ...this.options.request(),
      ...wish,
    };
    const turn = Turn.ask(request, this.#around.clock);
    // A question that is asked again takes the place of its failed try.
    this.turns = [...this.turns.filter((t) => !(t.failure && t.question === question)), turn];
    this.running = turn;
    this.#runningIn = conversation;
    this.evidence.show(turn);
    this.#around.announce(m.live_searching());
    try {
      await this.options.saved();
      await this.#backend.ask(request);
      // The answer to the call may overtake the last event.
      await atMost(turn.finished, patience);
      if (turn.running) turn.fail(toApiError({ code: 'internal', message: m.turn_ended_early() }));
    } catch (cause) {
      turn.fail(toApiError(cause));
    }
    await this.#ended(turn, conversation);
  }

  /** Ends the running turn within one token. */
  async stop(): Promise<void> {
    const turn = this.running;
    if (turn) await this.#backend.stop(turn.key).catch((cause: unknown) => turn.fail(toApiError(cause)));
  }

  /** Asks the question of a turn once more. */
  async again(turn: Turn, wish: SearchWish = {}): Promise<void> {
    if (this.text.trim() === turn.question.trim()) this.write('');
    const stored = turn.done?.turn;
    await this.ask(turn.question, stored ? { ...wish, again: stored } : wish);
  }

  /** Asks another question in the place of a turn's, with the history that it had. */
  async askInstead(turn: Turn, question: string): Promise<void> {
    const stored = turn.done?.turn;
    await this.ask(question, stored ? { again: stored } : {});
  }

  /** Goes on in a copy of the conversation that ends with a turn. */
  async branch(turn: Turn): Promise<void> {
    const { conversation: from, turn: id } = turn.done ?? {};
    if (!from || !id) return;
    await this.#try(async () => {
      const { turns } = await this.#backend.conversation(from);
      const stored = turns.find((t) => t.id === id);
      if (!stored) return;
      const copy = await this.#backend.branchConversation(from, stored.ordinal);
      await this.list.load();
      await this.open(copy.id);
      this.#around.announce(m.live_branched());
    });
  }

  /** Writes the conversation into a file where the person wants it. */
  async export(kind: ExportKind): Promise<void> {
    const id = this.conversation;
    if (id === null) return;
    await this.#try(async () => {
      const { name, text } = conversationFile(await this.#backend.conversation(id), kind);
      const path = await this.#backend.saveText(name, text);
      if (path) this.#around.announce(m.live_exported({ path }));
    });
  }

  /** From now on a failed rewrite searches the person's words; then asks again. */
  async alwaysOwnWords(turn: Turn): Promise<void> {
    try {
      this.options.useSettings(await this.#backend.setSetting('condense.on_failure', 'verbatim'));
    } catch (cause) {
      this.problem = toApiError(cause).sentence;
      return;
    }
    await this.again(turn, { own_words: true });
  }

  /** Lets the waiting question go into the composer on screen, or into another page's draft. */
  async takeBackQueued(page = this.#shown): Promise<void> {
    const text = this.queued;
    this.queued = null;
    if (text !== null) await this.#join(text, page);
  }

  async #ended(turn: Turn, askedIn: number | null): Promise<void> {
    this.running = null;
    this.#runningIn = null;
    const stays = this.conversation === askedIn && this.turns.includes(turn);
    if (turn.done) {
      const id = turn.done.conversation;
      if (askedIn === null && id !== null) {
        this.options.begun(id);
        if (this.#queuedBehind === turn) this.#queuedIn = id;
        if (stays) {
          this.conversation = id;
          this.options.useConversation(id);
          this.#takeDraftAlong();
        }
      }
      await this.list.load();
    } else if (stays && (this.#arriving || this.text.trim() === '')) {
      await this.#join(turn.question, askedIn ?? 0);
    }
    const next = this.queued;
    if (next === null || this.running) return;
    if (this.#queuedOn === this.#page && (turn.done || !stays)) {
      this.queued = null;
      await this.ask(next);
    } else {
      await this.takeBackQueued(this.#queuedIn);
    }
  }

  get #shown(): number {
    return this.conversation ?? 0;
  }

  /** Joins a text to the draft of a page, on screen or not; what is written there stays. */
  async #join(text: string, page: number): Promise<void> {
    while (this.#arriving && page === this.#shown) await this.#arriving;
    if (page === this.#shown) return this.write(joined(text, this.text));
    // A page that takes no draft may be gone: the text is not.
    await this.#drafts.join(page, text).catch(() => this.#join(text, this.#shown));
  }

  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (cause) {
      this.problem = toApiError(cause).sentence;
    }
  }

  /** Shows another conversation, and in the composer what was typed there before. */
  #turnTo(id: number | null): Promise<void> {
    void this.keepDraft();
    if (id !== this.conversation || id === null) this.#page++;
    if (id !== this.conversation) this.text = '';
    this.conversation = id;
    const arriving = this.#showDraft(id, this.#written).finally(() => {
      if (this.#arriving === arriving) this.#arriving = null;
    });
    this.#arriving = arriving;
    return arriving;
  }

  async #showDraft(id: number | null, written: number): Promise<void> {
    const kept = await this.#drafts.read(id ?? 0);
    if (this.conversation === id && this.#written === written) this.text = kept;
  }

  /** What is being written while a conversation begins belongs to it from then on. */
  #takeDraftAlong(): void {
    if (this.text === '') return;
    this.#draft = null;
    void this.#drafts.store(0, '');
    this.write(this.text);
  }
}

/** Waits for something, but not for ever. */
async function atMost(wanted: Promise<void>, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([wanted, late]);
  clearTimeout(timer);
}
