// The library: folders, collections and the ledger of files.
import type { AddPlan, Collection, FileQuery, FileRow, LibraryState, Standing } from '../../src/api';
import type { MockOptions } from './base';
import { MockChat } from './chat';
import { indexingProgress, query, sampleFiles, sampleLibrary } from './library';

export class MockLibrary extends MockChat {
  library: LibraryState = sampleLibrary();
  files: FileRow[];
  plan: AddPlan = { files: 1, bytes: 2e6, pages: 0, passages: 8, seconds: 1, meaning: 4, long: false };
  standings: Standing[] = [];
  picked: string[] = ['/home/ada/New folder'];

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
