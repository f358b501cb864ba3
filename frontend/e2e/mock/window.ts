// A stand-in for the program: the bound methods and events of the desktop host,
// in memory and without a model. Its properties:
//  - every method of the contract answers, from values that a test may replace;
//  - Ask plays a script of events in order, and Stop ends it with "cancelled";
//  - calls are recorded in order, drops and events are sent by hand;
//  - a method named in `failures` rejects with that error.
import type {
  AskRequest,
  Call,
  Collection,
  Connection,
  Conversation,
  ConversationMatch,
  ConversationOptions,
  FileQuery,
  FileRow,
  Host,
  LibraryState,
  CatalogueEntry,
  ModelFile,
  ModelsState,
  ModelState,
  ProgramStatus,
  Run,
  Setting,
  StoredTurn,
  Transfer,
} from '../../src/api';
import { indexingProgress, query, sampleFiles, sampleLibrary } from './library';
import { sampleSettings } from './settings';
import {
  failedRewrite,
  handbook,
  leaseTurns,
  plainAnswer,
  pumpTurns,
  type Script,
  stoppedRewrite,
} from './turns';

type Listener = (...data: unknown[]) => void;

export interface MockOptions {
  /** Nothing was ever added: the first start. */
  empty?: boolean;
  indexing?: boolean;
  /** The failure policy is stop. */
  stopPolicy?: boolean;
}

export class MockWindow {
  readonly calls: { method: string; values: unknown[] }[] = [];
  readonly failures = new Map<string, { code: string; message: string; hint?: string }>();
  /** Scripts by question; any other question gets a plain answer. */
  readonly scripts = new Map<string, Script[]>();
  library: LibraryState = sampleLibrary();
  settings: Setting[] = sampleSettings();
  files: FileRow[];
  conversations: Conversation[];
  turns = new Map<number, StoredTurn[]>([
    [1, leaseTurns],
    [2, pumpTurns],
  ]);
  drafts = new Map<number, string>();
  picked: string[] = ['/home/ada/New folder'];
  status: ProgramStatus;
  models: ModelsState;
  connections: Connection[] = [];
  runs: Run[] = [
    {
      id: 2,
      started: new Date().toISOString(),
      conversation: 2,
      turn: null,
      engine: 'condense_context',
      status: 'failed_stopped',
      code: 'condense_failed',
      reason: 'timeout',
      stages_ms: { total: 2004 },
    },
    {
      id: 1,
      started: new Date().toISOString(),
      conversation: 1,
      turn: 2,
      engine: 'condense_context',
      status: 'rewritten',
      code: null,
      reason: null,
      stages_ms: { prepare: 286, total: 4820 },
    },
  ];
  private pulls = new Map<string, { resolve: () => void; reject: (cause: unknown) => void }>();

  #listeners = new Map<string, Set<Listener>>();
  #drop: ((x: number, y: number, paths: string[]) => void) | null = null;
  #running = new Map<string, () => void>();
  #deleted = new Map<number, Conversation>();

  constructor(options: MockOptions = {}) {
    if (options.empty) {
      this.library = {
        ...this.library,
        folders: [],
        collections: [],
        progress: { ...this.library.progress, done: 0, total: 0, vectors_done: 0, vectors_total: 0 },
      };
    }
    if (options.indexing) this.library = { ...this.library, progress: indexingProgress };
    this.files = options.empty ? [] : sampleFiles(this.library);
    this.conversations = options.empty ? [] : sampleConversations();
    this.status = sampleStatus(options.empty ?? false);
    this.models = sampleModels(options.empty ?? false);
    this.scripts.set('And who signed that off?', options.stopPolicy ? stoppedRewrite : failedRewrite);
  }

  /** What the page finds as its host. */
  host(): Host {
    const names = Object.getOwnPropertyNames(MockWindow.prototype).filter((name) => /^[A-Z]/.test(name));
    const bound = names.map((name) => [
      name,
      async (...values: unknown[]): Promise<unknown> => {
        this.calls.push({ method: name, values });
        const failure = this.failures.get(name);
        if (failure) throw failure;
        const method = this[name as keyof this] as (...v: unknown[]) => unknown;
        return method.apply(this, values);
      },
    ]);
    return {
      go: { desktop: { Window: Object.fromEntries(bound) } },
      runtime: {
        EventsOn: (name, callback) => {
          const listeners = this.#listeners.get(name) ?? new Set();
          listeners.add(callback);
          this.#listeners.set(name, listeners);
          return () => listeners.delete(callback);
        },
        OnFileDrop: (callback) => {
          this.#drop = callback;
        },
        OnFileDropOff: () => {
          this.#drop = null;
        },
      },
    };
  }

  /** Sends a runtime event. */
  emit(name: string, value: unknown): void {
    for (const listener of this.#listeners.get(name) ?? []) listener(value);
  }

  /** Lets files fall on the window. */
  drop(...paths: string[]): void {
    this.#drop?.(10, 10, paths);
  }

  /** The values of every call of a method. */
  called(method: string): unknown[][] {
    return this.calls.filter((call) => call.method === method).map((call) => call.values);
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

  Library(): LibraryState {
    return this.library;
  }

  Files(q: FileQuery) {
    return query(this.files, this.library, q);
  }

  Add(paths: string[]) {
    const problems = paths
      .filter((path) => path.includes('missing'))
      .map((path) => ({ path, sentence: 'There is no such file. Check the path.' }));
    return { added: paths.length - problems.length, problems };
  }

  PickFiles(): string[] {
    return this.picked;
  }

  PickFolder(): string[] {
    return this.picked;
  }

  Remove(path: string): void {
    this.files = this.files.filter((file) => file.path !== path);
  }

  Retry(path: string): void {
    this.files = this.files.map((file) =>
      file.path === path ? { ...file, status: 'waiting', reason: '' } : file,
    );
  }

  Pause(): void {
    this.library = { ...this.library, progress: { ...this.library.progress, paused: true } };
  }

  Resume(): void {
    this.library = { ...this.library, progress: { ...this.library.progress, paused: false } };
  }

  SetLabel(path: string, label: FileRow['label']): void {
    this.files = this.files.map((file) => (file.path === path ? { ...file, label } : file));
  }

  SetClass(path: string, name: string): void {
    this.files = this.files.map((file) => (file.path === path ? { ...file, class: name } : file));
  }

  Pin(): void {}

  CreateCollection(name: string, label: Collection['label']): Collection {
    const made = { id: 100 + this.library.collections.length, name, label };
    this.library = { ...this.library, collections: [...this.library.collections, made] };
    return made;
  }

  RenameCollection(name: string, to: string): void {
    const collections = this.library.collections.map((c) => (c.name === name ? { ...c, name: to } : c));
    this.library = { ...this.library, collections };
  }

  DeleteCollection(name: string): void {
    const collections = this.library.collections.filter((c) => c.name !== name);
    this.library = { ...this.library, collections };
  }

  Reveal(): void {}

  Open(): void {}

  Settings(): Setting[] {
    return this.settings;
  }

  SetSetting(key: string, value: string): Setting[] {
    this.settings = this.settings.map((s) =>
      s.key === key ? { ...s, value, source: 'stored', notice: null } : s,
    );
    return this.settings;
  }

  ResetSetting(key: string): Setting[] {
    this.settings = this.settings.map((s) =>
      s.key === key ? { ...s, value: s.default, source: 'default', notice: null } : s,
    );
    return this.settings;
  }

  Status(): ProgramStatus {
    return this.status;
  }

  Models(): ModelsState {
    return this.models;
  }

  LoadModel(role: string, id: string): void {
    const entry = this.models.catalogue.find((e) => e.id === id);
    this.models = {
      ...this.models,
      roles: this.models.roles.map((r) =>
        r.role === role ? { ...r, id, name: entry?.name ?? id, state: 'loaded' } : r,
      ),
    };
  }

  /** Asks for the host, then waits for finishDownload. */
  async PullModel(id: string): Promise<void> {
    this.transfer(id, { state: 'asking', asks: 'models.example:443' });
    await new Promise<void>((resolve, reject) => this.pulls.set(id, { resolve, reject }));
  }

  PermitDownload(id: string, _host: string, allow: boolean): void {
    if (allow) {
      this.transfer(id, { state: 'receiving', done: 4e9, total: 8.99e9, rate: 12e6, remaining_seconds: 416 });
      return;
    }
    this.pulls.get(id)?.reject({
      code: 'model_failed',
      message: 'The connection was not allowed, so nothing was downloaded.',
    });
  }

  PauseModel(id: string): void {
    this.entry(id, { transfer: { ...noTransfer, id, state: 'paused', done: 4e9, total: 8.99e9 } });
    this.pulls.get(id)?.reject({ code: 'cancelled', message: 'The download is paused.' });
  }

  ImportModel(path: string, role: string): ModelFile {
    const file = { id: 'mine', name: path, sentence: 'It was not compared with anything.' };
    const like = this.models.catalogue[0];
    if (like) {
      const mine = { ...like, ...file, roles: [role], own: true, proof: 'none' as const, fits: null };
      this.models = { ...this.models, catalogue: [...this.models.catalogue, mine] };
    }
    return file;
  }

  RemoveModel(id: string): void {
    this.entry(id, { installed: false, own: false, proof: null, transfer: null });
  }

  /** Ends a download that was begun. */
  finishDownload(id: string): void {
    this.entry(id, { installed: true, own: true, proof: 'catalogue' });
    this.pulls.get(id)?.resolve();
  }

  private transfer(id: string, change: Partial<Transfer>): void {
    this.emit('transfer', { ...noTransfer, id, ...change });
  }

  private entry(id: string, change: Partial<CatalogueEntry>): void {
    const catalogue = this.models.catalogue.map((e) => (e.id === id ? { ...e, ...change } : e));
    this.models = { ...this.models, catalogue };
  }

  DocumentText(id: number) {
    if (id !== 1) throw { code: 'unknown_document', message: 'This document is no longer in the library.' };
    return { title: 'Residential tenancy handbook 2025', path: '', text: handbook, kind: 'pdf', pages: 212 };
  }

  Passage(chunk: number) {
    return {
      text: '',
      before: `Before passage ${chunk}.`,
      after: 'After it.',
      locator: {},
      heading: null,
      title: '',
      path: '',
      missing: true,
    };
  }

  OpenLink(): void {}

  /** The dialog takes the proposed name in the person's folder. */
  SaveText(name: string): string {
    return `/home/ada/${name}`;
  }

  Runs(): Run[] {
    return this.runs;
  }

  Connections(): Connection[] {
    return this.connections;
  }

  Calls(): Call[] {
    return [];
  }

  Version() {
    return { version: '0.1.0', llama: 'b6500', sqlite: '3.54.0' };
  }

  Demo() {
    return { sample_questions: ['How long is the notice period?', 'Who signed the heat pump off?'] };
  }

  WindowReady(): void {}
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

function model(role: string, id: string | null, name: string | null, layers: number): ModelState {
  return {
    role,
    id,
    name,
    state: name ? 'loaded' : 'none',
    loading: 0,
    note: null,
    layers,
    gpu_layers: layers,
    device: name ? 'GPU 0' : null,
    runtime: name ? 'Vulkan' : null,
    shared: null,
    remote: null,
  };
}

function sampleRoles(empty: boolean): Record<'answer' | 'condense' | 'embed' | 'rerank', ModelState> {
  const answer = empty
    ? model('answer', null, null, 0)
    : model('answer', 'standard-7b', 'Standard 7B Q4_K_M', 28);
  return {
    answer,
    condense: { ...answer, role: 'condense', shared: empty ? null : 'answer' },
    embed: empty ? model('embed', null, null, 0) : model('embed', 'embed', 'Multilingual embed Q8_0', 12),
    rerank: model('rerank', null, null, 0),
  };
}

function sampleStatus(empty: boolean): ProgramStatus {
  const { answer, condense, embed } = sampleRoles(empty);
  return {
    answer,
    condense,
    embed,
    tokens_per_second: empty ? 0 : 41.8,
    outbound: 0,
    index: empty
      ? { documents: 0, chunks: 0, vectors_done: 0, vectors_total: 0 }
      : { documents: 3061, chunks: 48310, vectors_done: 48310, vectors_total: 48310 },
    notices: [],
  };
}

const noTransfer: Omit<Transfer, 'id'> = {
  state: 'connecting',
  done: 0,
  total: 0,
  rate: 0,
  remaining_seconds: 0,
  asks: null,
  sentence: null,
};

function sampleModels(empty: boolean): ModelsState {
  const entry = (
    id: string,
    name: string,
    roles: string[],
    size: number,
    licence: string,
    memory: number,
    installed = !empty,
  ) => ({
    id,
    name,
    roles,
    size_bytes: size,
    licence,
    installed,
    fits: `Runs well with ${memory} GiB of memory.`,
    class: memory > 8 ? ('too_large' as const) : ('gpu' as const),
    downloadable: true,
    host: 'models.example',
    proof: installed ? ('catalogue' as const) : null,
    own: id === 'compact-0.6b' && installed,
    transfer: null,
  });
  return {
    roles: Object.values(sampleRoles(empty)),
    catalogue: [
      entry('standard-7b', 'Standard 7B Q4_K_M', ['answer', 'condense'], 4.68e9, 'Apache-2.0', 8),
      entry('compact-0.6b', 'Compact 0.6B Q4_K_M', ['answer', 'condense'], 0.48e9, 'Apache-2.0', 2),
      entry('embed', 'Multilingual embed Q8_0', ['embed'], 0.3e9, 'MIT', 1),
      entry('large-14b', 'Large 14B Q4_K_M', ['answer'], 8.99e9, 'Apache-2.0', 16, false),
    ],
    runtime: {
      name: 'Vulkan',
      devices: ['GPU 0, 8.00 GiB'],
      reason: 'Vulkan is in use. CUDA needs an optional pack and driver 580 or newer; 575 was found.',
    },
  };
}
