// The library as it is shown: what is selected, the pages of the ledger that
// have been read, and what was added or went wrong.
import { SvelteSet } from 'svelte/reactivity';
import {
  type AddResult,
  type Backend,
  type FileQuery,
  type FileRow,
  type LibraryState,
  type Progress,
  toApiError,
} from '../../api';
import { m } from '../../paraglide/messages';
import { folderOf, shortPath } from '../../text/cut';
import { number } from '../../text/number';
import { filterStatuses, type LedgerFilter } from './status';

/** What the ledger shows: everything, a collection or a folder. */
export type Selection = { kind: 'all' } | { kind: 'collection' | 'folder'; id: number };

export interface Counts {
  all: number;
  indexed: number;
  progress: number;
  attention: number;
}

/** Rows that are read at once. */
export const pageSize = 100;

export class LibraryModel {
  state = $state.raw<LibraryState | null>(null);
  selection = $state.raw<Selection>({ kind: 'all' });
  filter = $state<LedgerFilter>('all');
  search = $state('');
  sort = $state('status');
  total = $state(0);
  loaded = $state(false);
  problem = $state<string | null>(null);
  /** What could not be added the last time. */
  refused = $state.raw<AddResult['problems']>([]);
  readonly marked = new SvelteSet<string>();

  #pages = $state.raw<ReadonlyMap<number, FileRow[]>>(new Map());
  #reading = new Set<number>();
  #generation = 0;
  #backend: Backend;
  #announce: (sentence: string) => void;
  #announced = 0;

  folders = $derived(this.state?.folders ?? []);
  collections = $derived(this.state?.collections ?? []);
  progress = $derived(this.state?.progress ?? null);
  collection = $derived.by(() => {
    const chosen = this.selection;
    return chosen.kind === 'collection' ? (this.collections.find((c) => c.id === chosen.id) ?? null) : null;
  });
  folder = $derived.by(() => {
    const chosen = this.selection;
    return chosen.kind === 'folder' ? (this.folders.find((f) => f.id === chosen.id) ?? null) : null;
  });
  counts = $derived.by<Counts>(() => {
    const chosen = this.selection;
    return count(
      this.folders.filter(
        (f) =>
          chosen.kind === 'all' ||
          (chosen.kind === 'folder' ? f.id === chosen.id : (f.collection ?? 0) === chosen.id),
      ),
    );
  });

  constructor(backend: Backend, announce: (sentence: string) => void) {
    this.#backend = backend;
    this.#announce = announce;
  }

  /** Loads and follows the library; the result ends it. */
  start(): () => void {
    const off = this.#backend.onLibrary((state) => this.#take(state));
    void this.#guard(async () => {
      this.#take(await this.#backend.library());
    });
    return off;
  }

  /** The folder of a file, told from the watched folder it is in. */
  placeOf(path: string): string {
    const place = folderOf(path);
    const watched = this.folders.find((f) => place === f.path || place.startsWith(`${f.path}/`));
    return watched ? shortPath(watched.path) + place.slice(watched.path.length) : place;
  }

  /** Files of a collection. */
  countOf(collection: number): number {
    return count(this.folders.filter((f) => f.collection === collection)).all;
  }

  select(selection: Selection): void {
    this.selection = selection;
    this.refresh();
  }

  narrow(filter: LedgerFilter): void {
    this.filter = filter;
    this.refresh();
  }

  find(text: string): void {
    this.search = text;
    this.refresh();
  }

  /** Sorts by a column; the same column again turns the order round. */
  sortBy(column: string): void {
    this.sort = this.sort === column ? `-${column}` : column;
    this.refresh();
  }

  /** Forgets what was read and begins with the first page. */
  refresh(): void {
    this.#generation++;
    this.#reading.clear();
    this.marked.clear();
    void this.#read(0, true);
  }

  /** The row at a place, or undefined while its page is read. */
  row(index: number): FileRow | undefined {
    return this.#pages.get(Math.floor(index / pageSize))?.[index % pageSize];
  }

  /** Reads the pages of a range of rows that are not there yet. */
  want(first: number, last: number): void {
    for (let page = Math.floor(first / pageSize); page <= Math.floor(last / pageSize); page++) {
      if (!this.#pages.has(page)) void this.#read(page, false);
    }
  }

  /** Adds files and folders to what is selected. */
  async add(paths: string[]): Promise<void> {
    if (paths.length === 0) return;
    await this.#guard(async () => {
      const collection = this.collection?.name;
      const result = await this.#backend.add(paths, collection ? { collection } : {});
      this.refused = result.problems;
      this.#announce(m.added_files({ count: result.added, n: number(result.added) }));
      this.#take(await this.#backend.library());
    });
  }

  addFiles = async (): Promise<void> => {
    await this.#guard(async () => this.add(await this.#backend.pickFiles()));
  };

  addFolder = async (): Promise<void> => {
    await this.#guard(async () => this.add(await this.#backend.pickFolder()));
  };

  retry(path: string): Promise<void> {
    return this.#change(() => this.#backend.retry(path));
  }

  /** Tries every file that needs attention again. */
  async retryAll(): Promise<void> {
    await this.#guard(async () => {
      const query = { ...this.#query(), status: filterStatuses('attention') };
      const { files } = await this.#backend.files({ ...query, offset: 0, limit: this.counts.attention });
      for (const file of files) await this.#backend.retry(file.path);
    });
    this.refresh();
  }

  remove(path: string, forget: boolean): Promise<void> {
    return this.#change(() => this.#backend.remove(path, forget));
  }

  setLabel(path: string, restricted: boolean): Promise<void> {
    return this.#change(() => this.#backend.setLabel(path, restricted ? 'restricted' : 'public'));
  }

  open(path: string): Promise<void> {
    return this.#guard(() => this.#backend.open(path));
  }

  reveal(path: string): Promise<void> {
    return this.#guard(() => this.#backend.reveal(path));
  }

  async togglePause(): Promise<void> {
    const paused = this.progress?.paused ?? false;
    await this.#guard(() => (paused ? this.#backend.resume() : this.#backend.pause()));
    await this.#guard(async () => this.#take(await this.#backend.library()));
  }

  #take(state: LibraryState): void {
    const before = this.state;
    this.state = state;
    this.#announceProgress(state.progress);
    // Rows are read again only when a file changed its place in the counts.
    if (!before || signature(before) !== signature(state)) this.#reload();
  }

  /** Reads the pages in use again without clearing them first. */
  #reload(): void {
    this.#generation++;
    this.#reading.clear();
    const pages = [...this.#pages.keys()];
    void this.#read(pages[0] ?? 0, false);
    for (const page of pages.slice(1)) void this.#read(page, false);
  }

  async #read(page: number, fresh: boolean): Promise<void> {
    if (this.#reading.has(page)) return;
    this.#reading.add(page);
    const generation = this.#generation;
    await this.#guard(async () => {
      const result = await this.#backend.files({
        ...this.#query(),
        offset: page * pageSize,
        limit: pageSize,
      });
      if (generation !== this.#generation) return;
      this.#pages = new Map(fresh ? [] : this.#pages).set(page, result.files);
      this.total = result.total;
      this.loaded = true;
    });
    this.#reading.delete(page);
  }

  #query(): Omit<FileQuery, 'offset' | 'limit'> {
    const chosen = this.selection;
    const status = filterStatuses(this.filter);
    const search = this.search.trim();
    return {
      ...(chosen.kind === 'folder' ? { folder: chosen.id } : {}),
      ...(chosen.kind === 'collection' ? { collection: chosen.id } : {}),
      ...(status ? { status } : {}),
      ...(search ? { search } : {}),
      sort: this.sort,
    };
  }

  async #change(work: () => Promise<void>): Promise<void> {
    await this.#guard(work);
    this.#reload();
  }

  /** Says 25, 50, 75 and 100 percent, each once. */
  #announceProgress(progress: Progress): void {
    if (progress.total === 0 || progress.done === 0) {
      this.#announced = 0;
      return;
    }
    const quarter = Math.floor((progress.done / progress.total) * 4) * 25;
    if (quarter < this.#announced) this.#announced = 0;
    if (quarter > this.#announced) {
      this.#announced = quarter;
      this.#announce(m.live_progress({ percent: number(quarter) }));
    }
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

function count(folders: LibraryState['folders']): Counts {
  const counts = { all: 0, indexed: 0, progress: 0, attention: 0 };
  for (const folder of folders) {
    counts.indexed += folder.indexed;
    counts.progress += folder.waiting;
    counts.attention += folder.failed;
  }
  counts.all = counts.indexed + counts.progress + counts.attention;
  return counts;
}

function signature(state: LibraryState): string {
  return state.folders
    .map((f) => [f.id, f.state, f.label, f.indexed, f.waiting, f.failed].join(':'))
    .join(',');
}
