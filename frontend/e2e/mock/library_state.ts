// The library: folders, collections and the ledger of files.
import type {
  AddPlan,
  Collection,
  EmbedPlan,
  Encoding,
  FileQuery,
  FileRow,
  IngestReport,
  LibraryState,
  RecutPlan,
  Standing,
  Unlocked,
  UnlockRequest,
} from '../../src/api';
import type { MockOptions } from './base';
import { MockChat } from './chat';
import { indexingProgress, query, sampleFiles, sampleLibrary } from './library';

export class MockLibrary extends MockChat {
  library: LibraryState = sampleLibrary();
  files: FileRow[];
  plan: AddPlan = { files: 1, bytes: 2e6, pages: 0, passages: 8, seconds: 1, meaning: 4, long: false };
  standings: Standing[] = [];
  picked: string[] = ['/home/ada/New folder'];
  /** The model of the settings serves, until a test says otherwise. */
  embedPlan: EmbedPlan = {
    from: 'Multilingual E5 small',
    to: null,
    passages: 0,
    done: 0,
    seconds: 0,
    building: false,
    sentence: null,
  };
  /** Nothing was read by an earlier version, until a test says otherwise. */
  recutPlan: RecutPlan = {
    files: 0,
    bytes: 0,
    pages: 0,
    passages: 0,
    seconds: 0,
    meaning: 0,
    long: false,
    sentence: '',
  };
  /** Ends the building. */
  building: { resolve: () => void; reject: (cause: unknown) => void } | null = null;
  /** What opens every protected file; another password leaves it protected. */
  password = 'Quay Street 12';
  keyring = true;
  ingestReport: IngestReport = {
    files: 1000,
    pages: 8412,
    passages: 48310,
    vectors: 48310,
    seconds: 412,
    parse: 96,
    chunk: 4.2,
    write: 31.5,
    embed: 370,
    other: 2.3,
    files_per_second: 1000 / 412,
  };

  constructor(options: MockOptions) {
    super(options);
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

  PlanAdd(paths: string[]): AddPlan {
    return { ...this.plan, files: paths.length };
  }

  PickWhy(): Standing[] {
    return this.standings;
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

  SetPassageClass(): void {}

  /** The file waits; finishUnlock reads it. */
  Unlock(request: UnlockRequest): Unlocked {
    this.Retry(request.path);
    this.#tried = request;
    const kept = request.keep && this.keyring;
    return { kept, sentence: request.keep && !kept ? 'This computer has no keyring.' : null };
  }

  #tried: UnlockRequest | null = null;

  /** Reads the file that Unlock was called for. */
  finishUnlock(): void {
    const tried = this.#tried;
    const right = tried?.password === this.password;
    this.files = this.files.map((file) =>
      file.path === tried?.path
        ? {
            ...file,
            status: right ? 'indexed' : 'needs_password',
            reason: right ? null : 'The password does not open this PDF. Enter it again.',
          }
        : file,
    );
    this.emit('library', this.library);
  }

  IngestReport(): IngestReport {
    return this.ingestReport;
  }

  PlanEmbedder(): EmbedPlan {
    return this.embedPlan;
  }

  /** Waits for finishEmbedder or StopEmbedder. */
  async BuildEmbedder(): Promise<void> {
    this.embedPlan = { ...this.embedPlan, building: true };
    await new Promise<void>((resolve, reject) => (this.building = { resolve, reject }));
  }

  finishEmbedder(): void {
    this.embedPlan = { ...this.embedPlan, from: this.embedPlan.to, to: null, building: false };
    this.building?.resolve();
  }

  StopEmbedder(): void {
    this.embedPlan = { ...this.embedPlan, building: false };
    this.building?.reject({ code: 'cancelled', message: 'Stopped. The old search index serves.' });
  }

  PlanRecut(): RecutPlan {
    return this.recutPlan;
  }

  Recut(): void {
    this.recutPlan = { ...this.recutPlan, files: 0 };
  }

  Encodings(): Encoding[] {
    return [
      { name: 'utf-8', script: 'unicode' },
      { name: 'windows-1252', script: 'western' },
      { name: 'windows-1251', script: 'cyrillic' },
      { name: 'koi8-r', script: 'cyrillic' },
    ];
  }

  SetEncoding(path: string, encoding: string): void {
    this.files = this.files.map((file) =>
      file.path === path ? { ...file, status: 'waiting', encoding_choice: encoding || null } : file,
    );
  }

  SetTags(path: string, tags: string[]): void {
    const kept = tags.map((tag) => tag.toLowerCase()).sort();
    this.files = this.files.map((file) => (file.path === path ? { ...file, tags: kept } : file));
  }

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
}
