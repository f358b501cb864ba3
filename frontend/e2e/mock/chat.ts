// Turns and conversations.
import type {
  AskRequest,
  Conversation,
  ConversationMatch,
  ConversationOptions,
  StoredTurn,
} from '../../src/api';
import { MockBase, type MockOptions } from './base';
import { failedRewrite, leaseTurns, plainAnswer, pumpTurns, type Script, stoppedRewrite } from './turns';

export class MockChat extends MockBase {
  /** Scripts by question; any other question gets a plain answer. */
  readonly scripts = new Map<string, Script[]>();
  conversations: Conversation[];
  turns = new Map<number, StoredTurn[]>([
    [1, leaseTurns],
    [2, pumpTurns],
  ]);
  drafts = new Map<number, string>();

  #running = new Map<string, () => void>();
  #deleted = new Map<number, Conversation>();

  constructor(options: MockOptions) {
    super();
    this.conversations = options.empty ? [] : sampleConversations();
    this.scripts.set('And who signed that off?', options.stopPolicy ? stoppedRewrite : failedRewrite);
  }

  async Ask(request: AskRequest): Promise<void> {
    const conversation = request.conversation ?? 900 + this.conversations.length;
    const own = request.own_words
      ? ({ status: 'user_words' } as const)
      : request.edited_query
        ? ({ status: 'user_edited', search_query: request.edited_query } as const)
        : {};
    const scripted = request.own_words ? undefined : this.scripts.get(request.question);
    const script = scripted ?? plainAnswer(request.question, conversation, 100 + this.calls.length, own);
    let stopped = false;
    let wake = (): void => undefined;
    this.#running.set(request.id, () => {
      stopped = true;
      wake();
    });
    let last = '';
    for (const { pause, events } of script) {
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, pause);
      });
      if (stopped) break;
      this.emit('turn', { id: request.id, events });
      last = events.at(-1)?.event ?? '';
    }
    // A script without an end streams until it is stopped.
    if (last !== 'done' && last !== 'error') {
      if (!stopped) await new Promise<void>((resolve) => (wake = resolve));
      this.emit('turn', {
        id: request.id,
        events: [
          { event: 'error', code: 'cancelled', reason: 'cancelled', message: 'You stopped it.', hint: null },
        ],
      });
    }
    this.#running.delete(request.id);
    if (last === 'done' && request.conversation === null) {
      const now = new Date().toISOString();
      this.conversations = [
        { id: conversation, title: request.question, created: now, updated: now, pinned: false, turns: 1 },
        ...this.conversations,
      ];
    }
  }

  Stop(id: string): void {
    this.#running.get(id)?.();
  }

  Conversations(): Conversation[] {
    return this.conversations;
  }

  Conversation(id: number) {
    const conversation = this.conversations.find((c) => c.id === id);
    if (!conversation) {
      throw {
        code: 'unknown_conversation',
        message: 'This conversation does not exist.',
        hint: 'Choose another one.',
      };
    }
    return { conversation, turns: this.turns.get(id) ?? null };
  }

  NewConversation(): Conversation {
    const now = new Date().toISOString();
    return {
      id: 900 + this.conversations.length,
      title: '',
      created: now,
      updated: now,
      pinned: false,
      turns: 0,
    };
  }

  RenameConversation(id: number, title: string): void {
    this.conversations = this.conversations.map((c) => (c.id === id ? { ...c, title } : c));
  }

  PinConversation(id: number, pinned: boolean): void {
    this.conversations = this.conversations.map((c) => (c.id === id ? { ...c, pinned } : c));
  }

  SetConversationOptions(id: number, options: ConversationOptions): void {
    this.conversations = this.conversations.map((c) => (c.id === id ? { ...c, options } : c));
  }

  BranchConversation(id: number, ordinal: number): Conversation {
    const from = this.conversations.find((c) => c.id === id);
    const copy = { ...this.NewConversation(), title: from?.title ?? '', turns: ordinal };
    this.conversations = [copy, ...this.conversations];
    this.turns.set(
      copy.id,
      (this.turns.get(id) ?? []).filter((turn) => turn.ordinal <= ordinal),
    );
    return copy;
  }

  DeleteConversation(id: number): void {
    const gone = this.conversations.find((c) => c.id === id);
    if (gone) this.#deleted.set(id, gone);
    this.conversations = this.conversations.filter((c) => c.id !== id);
  }

  RestoreConversation(id: number): void {
    const back = this.#deleted.get(id);
    if (back) this.conversations = [...this.conversations, back];
  }

  SearchConversations(text: string): ConversationMatch[] {
    return this.conversations
      .filter((c) => c.title.toLowerCase().includes(text.toLowerCase()))
      .map((c) => ({ ...c, snippet: `… ${text} …` }));
  }

  SetDraft(id: number, text: string): void {
    this.drafts.set(id, text);
  }

  Draft(id: number): string {
    return this.drafts.get(id) ?? '';
  }
}

function sampleConversations(): Conversation[] {
  const now = new Date();
  const at = (days: number, minutes: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() - days, 0, 0, 60 - minutes).toISOString();
  const titles: [string, number][] = [
    ['Notice period, open-ended lease', 0],
    ['Heat pump commissioning, block B', 0],
    ['Deposit interest after renovation', 0],
    ['Ventilation rates, lecture hall', 1],
    ['Service charge caps 2023 to 2025 compared', 1],
    ['Subletting clause, commercial units', 1],
    ['Fire damper inspection intervals', 5],
    ['Rent index and step-up clauses', 6],
    ['Legionella risk, vacant flats in block C', 7],
    ['Heating cost allocation', 8],
    ['Handover protocol checklist', 9],
  ];
  return titles.map(([title, days], i) => ({
    id: i + 1,
    title,
    created: at(days, i),
    updated: at(days, i),
    pinned: false,
    turns: 2,
  }));
}
