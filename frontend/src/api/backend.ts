// The program behind the window, as typed calls. Every call may reject with an
// ApiError. Lists are never null here, whatever the host sends.
import type {
  Conversation,
  ConversationDetail,
  ConversationMatch,
  ConversationOptions,
} from './conversation';
import type { DocumentText, Passage } from './document';
import { ApiError, toApiError } from './error';
import type { Host } from './host';
import { type EmbedPlan, type IngestBackend, ingestCalls } from './ingest';
import { labCalls, type EvalRun, type LabBackend } from './lab';
import type {
  AddPlan,
  AddResult,
  Collection,
  FilePage,
  FileQuery,
  Label,
  LibraryState,
  Standing,
} from './library';
import type { Call, Connection, Run } from './record';
import type {
  ArchiveSource,
  ModelFile,
  ModelsState,
  ProgramStatus,
  RuntimeCheck,
  RuntimeFolder,
  Transfer,
} from './model';
import {
  conversationDetail,
  documentText,
  filePage,
  fit,
  indexReport,
  libraryState,
  list,
  modelsState,
  programStatus,
  runtimeCheck,
  runtimeFolder,
  turnBatch,
} from './shape';
import type { Setting } from './setting';
import type { AskRequest, TurnBatch } from './turn';
import type {
  Fit,
  FitRequest,
  IndexReport,
  IndexSize,
  PickedBackup,
  PickedConversation,
  Profile,
  Rebuilding,
  RemoteRequest,
  Serving,
  Speed,
} from './upkeep';

export interface Backend extends LabBackend, IngestBackend {
  /** Asks a question; resolves when the turn ended. Its events arrive by onTurn. */
  ask(request: AskRequest): Promise<void>;
  stop(id: string): Promise<void>;
  conversations(): Promise<Conversation[]>;
  conversation(id: number): Promise<ConversationDetail>;
  newConversation(): Promise<Conversation>;
  renameConversation(id: number, title: string): Promise<void>;
  pinConversation(id: number, pinned: boolean): Promise<void>;
  /** Stores what counts for one conversation, in place of all that was chosen before. */
  setConversationOptions(id: number, options: ConversationOptions): Promise<void>;
  /** Copies a conversation up to and with a turn. */
  branchConversation(id: number, ordinal: number): Promise<Conversation>;
  deleteConversation(id: number): Promise<void>;
  restoreConversation(id: number): Promise<void>;
  searchConversations(text: string): Promise<ConversationMatch[]>;
  /** The conversation 0 is the one not yet begun. */
  setDraft(id: number, text: string): Promise<void>;
  draft(id: number): Promise<string>;
  library(): Promise<LibraryState>;
  files(query: FileQuery): Promise<FilePage>;
  add(paths: string[], options: { collection?: string; restricted?: boolean }): Promise<AddResult>;
  /** What add would cost; nothing is opened. */
  planAdd(paths: string[], options: { collection?: string; restricted?: boolean }): Promise<AddPlan>;
  /** Asks for files and says where each stands and why. */
  pickWhy(): Promise<Standing[]>;
  pickFiles(): Promise<string[]>;
  pickFolder(): Promise<string[]>;
  /** Takes a file or folder out of the library; forget also erases stored passages. */
  remove(path: string, forget: boolean): Promise<void>;
  retry(path: string): Promise<void>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  setLabel(path: string, label: Label): Promise<void>;
  setClass(path: string, name: string): Promise<void>;
  /** Puts a passage before others of its kind, or ends that. */
  pin(chunk: number, pinned: boolean): Promise<void>;
  createCollection(name: string, label: Label): Promise<Collection>;
  renameCollection(name: string, to: string): Promise<void>;
  deleteCollection(name: string): Promise<void>;
  reveal(path: string): Promise<void>;
  open(path: string): Promise<void>;
  settings(): Promise<Setting[]>;
  setSetting(key: string, value: string): Promise<Setting[]>;
  resetSetting(key: string): Promise<Setting[]>;
  status(): Promise<ProgramStatus>;
  models(): Promise<ModelsState>;
  loadModel(role: string, id: string): Promise<void>;
  /** Downloads a model, or goes on; resolves when it is there. It tells of itself by onTransfer. */
  pullModel(id: string): Promise<void>;
  pauseModel(id: string): Promise<void>;
  /** Answers whether a download may connect to a host. */
  permitDownload(id: string, host: string, allow: boolean): Promise<void>;
  importModel(path: string, role: string): Promise<ModelFile>;
  /** Deletes a model file of the person's own, or an unfinished download. */
  removeModel(id: string): Promise<void>;
  runtimes(): Promise<RuntimeFolder[]>;
  /** Installs a pack from files; ended by stop with the same id. */
  installRuntime(
    id: string,
    request: { name: string; archives: string[]; accept: boolean; anyway: boolean },
  ): Promise<RuntimeFolder>;
  /** Downloads a pack and installs it; without addresses from where the program knows it. */
  pullRuntime(request: {
    name: string;
    from: ArchiveSource[];
    accept: boolean;
    anyway: boolean;
  }): Promise<RuntimeFolder>;
  removeRuntime(name: string): Promise<void>;
  /** Lets a small model run on it; ended by stop with the same id. */
  checkRuntime(id: string, name: string): Promise<RuntimeCheck>;
  documentText(id: number): Promise<DocumentText>;
  passage(chunk: number): Promise<Passage>;
  openLink(url: string): Promise<void>;
  /** Says in which language the program's sentences are shown. */
  setLanguage(tag: string): Promise<void>;
  /** Asks where a text goes and writes it; resolves with the path, empty when it was not wanted. */
  saveText(name: string, text: string): Promise<string>;
  /** The newest turns first, failed and stopped ones too. */
  runs(): Promise<Run[]>;
  /** Every connection to another computer, newest first. */
  connections(): Promise<Connection[]>;
  /** What other programs asked for, newest first. */
  calls(): Promise<Call[]>;
  /** How other programs reach the library, with the token that they show. */
  serving(): Promise<Serving>;
  /** Ends what all other programs were allowed. */
  rotateToken(): Promise<Serving>;
  profiles(): Promise<Profile[]>;
  useProfile(name: string): Promise<Setting[]>;
  indexSize(): Promise<IndexSize>;
  /** These are ended by stop with the same id. */
  verifyIndex(id: string): Promise<IndexReport>;
  repairIndex(id: string): Promise<IndexReport>;
  rebuildIndex(id: string): Promise<void>;
  /** Asks where the backup goes; resolves with the path, empty when it was not wanted. */
  backup(id: string): Promise<string>;
  /** Asks for a backup, checks it, and lays it ready for the next start. */
  pickBackup(id: string): Promise<PickedBackup>;
  restart(): Promise<void>;
  /** Asks where and writes what helps to find a fault; no text of documents. */
  saveDiagnostics(): Promise<string>;
  fitModels(request: FitRequest): Promise<Fit>;
  testModel(id: string, role: string): Promise<Speed>;
  setRemote(request: RemoteRequest): Promise<void>;
  /** Asks for an exported conversation and tells what it holds. */
  pickConversation(): Promise<PickedConversation>;
  /** Takes in the conversation that was picked last. */
  importConversation(): Promise<Conversation>;
  version(): Promise<{ version: string; llama: string; sqlite: string }>;
  demo(): Promise<string[]>;
  windowReady(): Promise<void>;

  onTurn(handler: (batch: TurnBatch) => void): () => void;
  onLibrary(handler: (state: LibraryState) => void): () => void;
  onStatus(handler: (status: ProgramStatus) => void): () => void;
  onRebuilding(handler: (progress: Rebuilding) => void): () => void;
  onTransfer(handler: (transfer: Transfer) => void): () => void;
  /** Calls back with paths that a second start of the program handed over. */
  onOpenPaths(handler: (paths: string[]) => void): () => void;
  /** Calls back with "new_chat" or "add_files" when the program was started for it. */
  onOpenAction(handler: (action: string) => void): () => void;
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
    pinConversation: calls('PinConversation'),
    setConversationOptions: calls('SetConversationOptions'),
    branchConversation: calls('BranchConversation'),
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
    planAdd: calls('PlanAdd'),
    pickWhy: lists('PickWhy'),
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
    setClass: calls('SetClass'),
    pin: calls('Pin'),
    createCollection: calls('CreateCollection'),
    renameCollection: calls('RenameCollection'),
    deleteCollection: calls('DeleteCollection'),
    reveal: calls('Reveal'),
    open: calls('Open'),
    settings: lists('Settings'),
    setSetting: lists('SetSetting'),
    resetSetting: lists('ResetSetting'),
    status: async () => programStatus(await call('Status')),
    models: async () => modelsState(await call('Models')),
    loadModel: calls('LoadModel'),
    pullModel: calls('PullModel'),
    pauseModel: calls('PauseModel'),
    permitDownload: calls('PermitDownload'),
    importModel: calls('ImportModel'),
    removeModel: calls('RemoveModel'),
    runtimes: async () => list(await call<RuntimeFolder[]>('Runtimes')).map(runtimeFolder),
    installRuntime: async (id, request) => runtimeFolder(await call('InstallRuntime', id, request)),
    pullRuntime: async (request) => runtimeFolder(await call('PullRuntime', request)),
    removeRuntime: calls('RemoveRuntime'),
    checkRuntime: async (id, name) => runtimeCheck(await call('CheckRuntime', id, name)),
    documentText: async (id) => documentText(await call('DocumentText', id)),
    passage: calls('Passage'),
    openLink: calls('OpenLink'),
    setLanguage: calls('SetLanguage'),
    saveText: calls('SaveText'),
    runs: lists('Runs'),
    connections: lists('Connections'),
    calls: lists('Calls'),
    serving: calls('Serving'),
    rotateToken: calls('RotateToken'),
    profiles: lists('Profiles'),
    useProfile: lists('UseProfile'),
    indexSize: calls('IndexSize'),
    verifyIndex: async (id) => indexReport(await call('VerifyIndex', id)),
    repairIndex: async (id) => indexReport(await call('RepairIndex', id)),
    rebuildIndex: calls('RebuildIndex'),
    backup: calls('Backup'),
    pickBackup: calls('PickBackup'),
    restart: calls('Restart'),
    saveDiagnostics: calls('SaveDiagnostics'),
    fitModels: async (request) => fit(await call('FitModels', request)),
    testModel: calls('TestModel'),
    setRemote: calls('SetRemote'),
    pickConversation: async () => {
      const picked = await call<PickedConversation>('PickConversation');
      return { ...picked, questions: list(picked.questions) };
    },
    importConversation: calls('ImportConversation'),
    version: calls('Version'),
    demo: async () =>
      list((await call<{ sample_questions: string[] | null } | null>('Demo'))?.sample_questions),
    ...labCalls(calls),
    ...ingestCalls(calls),
    windowReady: calls('WindowReady'),

    onTurn: on('turn', turnBatch),
    onLibrary: on('library', libraryState),
    onStatus: on('status', programStatus),
    onRebuilding: on<Rebuilding>('rebuilding', (progress) => progress),
    onTransfer: on<Transfer>('transfer', (transfer) => transfer),
    onEmbedder: on<EmbedPlan>('embedder', (plan) => plan),
    onEvaluation: on<EvalRun>('evaluation', (run) => run),
    onOpenPaths: on('open_paths', list<string>),
    onOpenAction: on<string>('open_action', (action) => action),
    onFileDrop: (handler) => {
      host.runtime.OnFileDrop((_x, _y, paths) => handler(list(paths)), false);
      return () => host.runtime.OnFileDropOff();
    },
  };
}
