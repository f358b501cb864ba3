// The program behind the window, as typed calls. Every call may reject with an
// ApiError. Lists are never null here, whatever the host sends.
import type { Conversation, ConversationDetail, ConversationMatch } from './conversation';
import type { DocumentText, Passage } from './document';
import { ApiError, toApiError } from './error';
import type { Host } from './host';
import type { AddResult, FilePage, FileQuery, Label, LibraryState } from './library';
import type { ModelsState, ProgramStatus } from './model';
import {
  conversationDetail,
  filePage,
  libraryState,
  list,
  modelsState,
  programStatus,
  turnBatch,
} from './shape';
import type { Setting } from './setting';
import type { AskRequest, TurnBatch } from './turn';

export interface Backend {
  /** Asks a question; resolves when the turn ended. Its events arrive by onTurn. */
  ask(request: AskRequest): Promise<void>;
  stop(id: string): Promise<void>;
  conversations(): Promise<Conversation[]>;
  conversation(id: number): Promise<ConversationDetail>;
  newConversation(): Promise<Conversation>;
  renameConversation(id: number, title: string): Promise<void>;
  deleteConversation(id: number): Promise<void>;
  restoreConversation(id: number): Promise<void>;
  searchConversations(text: string): Promise<ConversationMatch[]>;
  /** The conversation 0 is the one not yet begun. */
  setDraft(id: number, text: string): Promise<void>;
  draft(id: number): Promise<string>;
  library(): Promise<LibraryState>;
  files(query: FileQuery): Promise<FilePage>;
  add(paths: string[], options: { collection?: string; restricted?: boolean }): Promise<AddResult>;
  pickFiles(): Promise<string[]>;
  pickFolder(): Promise<string[]>;
  /** Takes a file or folder out of the library; forget also erases stored passages. */
  remove(path: string, forget: boolean): Promise<void>;
  retry(path: string): Promise<void>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  setLabel(path: string, label: Label): Promise<void>;
  reveal(path: string): Promise<void>;
  open(path: string): Promise<void>;
  settings(): Promise<Setting[]>;
  setSetting(key: string, value: string): Promise<Setting[]>;
  resetSetting(key: string): Promise<Setting[]>;
  status(): Promise<ProgramStatus>;
  models(): Promise<ModelsState>;
  loadModel(role: string, id: string): Promise<void>;
  documentText(id: number): Promise<DocumentText>;
  passage(chunk: number): Promise<Passage>;
  openLink(url: string): Promise<void>;
  version(): Promise<{ version: string; llama: string; sqlite: string }>;
  demo(): Promise<string[]>;
  windowReady(): Promise<void>;

  onTurn(handler: (batch: TurnBatch) => void): () => void;
  onLibrary(handler: (state: LibraryState) => void): () => void;
  onStatus(handler: (status: ProgramStatus) => void): () => void;
  /** Calls back with paths that a second start of the program handed over. */
  onOpenPaths(handler: (paths: string[]) => void): () => void;
  /** Calls back with absolute paths when files are dropped on the window. */
  onFileDrop(handler: (paths: string[]) => void): () => void;
}

/** Wraps a host. A method the host does not have rejects with "not_available". */
export function connect(host: Host): Backend {
  const call = async <T>(method: string, ...values: unknown[]): Promise<T> => {
    const bound = host.go.desktop.Window[method];
    if (!bound) throw new ApiError('not_available', `This program has no method ${method}.`);
    try {
      return (await bound(...values)) as T;
    } catch (cause) {
      throw toApiError(cause);
    }
  };
  const calls =
    <A extends unknown[], T = void>(method: string) =>
    (...values: A) =>
      call<T>(method, ...values);
  const lists =
    <A extends unknown[], T>(method: string) =>
    async (...values: A) =>
      list(await call<T[] | null>(method, ...values));
  const on =
    <T>(name: string, shape: (value: T) => T) =>
    (handler: (value: T) => void) =>
      host.runtime.EventsOn(name, (value) => handler(shape(value as T)));

  return {
    ask: calls('Ask'),
    stop: calls('Stop'),
    conversations: lists('Conversations'),
    conversation: async (id) => conversationDetail(await call('Conversation', id)),
    newConversation: calls('NewConversation'),
    renameConversation: calls('RenameConversation'),
    deleteConversation: calls('DeleteConversation'),
    restoreConversation: calls('RestoreConversation'),
    searchConversations: lists('SearchConversations'),
    setDraft: calls('SetDraft'),
    draft: async (id) => (await call<string | null>('Draft', id)) ?? '',
    library: async () => libraryState(await call('Library')),
    files: async (query) => filePage(await call('Files', query)),
    add: async (paths, options) => {
      const result = await call<AddResult>('Add', paths, options);
      return { added: result.added, problems: list(result.problems) };
    },
    pickFiles: lists('PickFiles'),
    // A folder dialog may answer with one path.
    pickFolder: async () => {
      const picked = await call<string[] | string | null>('PickFolder');
      return typeof picked === 'string' ? [picked].filter(Boolean) : list(picked);
    },
    remove: calls('Remove'),
    retry: calls('Retry'),
    pause: calls('Pause'),
    resume: calls('Resume'),
    setLabel: calls('SetLabel'),
    reveal: calls('Reveal'),
    open: calls('Open'),
    settings: lists('Settings'),
    setSetting: lists('SetSetting'),
    resetSetting: lists('ResetSetting'),
    status: async () => programStatus(await call('Status')),
    models: async () => modelsState(await call('Models')),
    loadModel: calls('LoadModel'),
    documentText: calls('DocumentText'),
    passage: calls('Passage'),
    openLink: calls('OpenLink'),
    version: calls('Version'),
    demo: async () =>
      list((await call<{ sample_questions: string[] | null } | null>('Demo'))?.sample_questions),
    windowReady: calls('WindowReady'),

    onTurn: on('turn', turnBatch),
    onLibrary: on('library', libraryState),
    onStatus: on('status', programStatus),
    onOpenPaths: on('open_paths', list<string>),
    onFileDrop: (handler) => {
      host.runtime.OnFileDrop((_x, _y, paths) => handler(list(paths)), false);
      return () => host.runtime.OnFileDropOff();
    },
  };
}
