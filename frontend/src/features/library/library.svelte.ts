// The library as it is shown: what is selected, how the ledger is narrowed, and
// what was added or went wrong.
import { SvelteSet } from 'svelte/reactivity';
import {
  type AddPlan,
  type AddResult,
  type Backend,
  type Encoding,
  type FileRow,
  type FileSort,
  type IngestReport,
  type LibraryState,
  type Progress,
  type Standing,
  toApiError,
} from '../../api';
import { m } from '../../paraglide/messages';
import { folderOf, shortPath } from '../../text/cut';
import { number } from '../../text/number';
import { SearchModelChange } from './embedder.svelte';
import { LedgerRows, type ListQuery } from './ledger.svelte';
import { filterStatuses, type LedgerFilter } from './status';
import { Recut } from './recut.svelte';
import { Unlock } from './unlock.svelte';

/** What the ledger shows: everything, a collection by name, or a folder. */
export type Selection =
  { kind: 'all' } | { kind: 'collection'; name: string } | { kind: 'folder'; id: number };

export interface Counts {
  all: number;
  indexed: number;
  progress: number;
  attention: number;
}

export class LibraryModel {
  state = $state.raw<LibraryState | null>(null);
  selection = $state.raw<Selection>({ kind: 'all' });
  filter = $state<LedgerFilter>('all');
  search = $state('');
  sort = $state<FileSort>('path');
  problem = $state<string | null>(null);
  /** What could not be added the last time. */
  refused = $state.raw<AddResult['problems']>([]);
  /** What takes long and waits for a yes. */
  planned = $state.raw<{ paths: string[]; options: { collection?: string }; plan: AddPlan } | null>(null);
  /** Where files stand that were asked about. */
  standings = $state.raw<Standing[]>([]);
  /** Where the time of reading went, while it is shown. */
  report = $state.raw<IngestReport | null>(null);
  /** The file whose encoding is asked about, and what there is to choose from. */
  encodingOf = $state.raw<FileRow | null>(null);
  encodings = $state.raw<Encoding[]>([]);
  /** The file whose tags are being edited. */
  tagsOf = $state.raw<FileRow | null>(null);
  /** Paths of the selected rows. */
  readonly marked = new SvelteSet<string>();
  readonly rows: LedgerRows;
  readonly searchModel: SearchModelChange;
  readonly unlock: Unlock;
  readonly recut: Recut;

  #backend: Backend;
  #announce: (sentence: string) => void;
  #announced = 0;

  folders = $derived(this.state?.folders ?? []);
  collections = $derived(this.state?.collections ?? []);
  progress = $derived(this.state?.progress ?? null);
  collection = $derived.by(() => {
    const chosen = this.selection;
    return chosen.kind === 'collection'
      ? (this.collections.find((c) => c.name === chosen.name) ?? null)
      : null;
  });
  folder = $derived.by(() => {
    const chosen = this.selection;
    return chosen.kind === 'folder' ? (this.folders.find((f) => f.id === chosen.id) ?? null) : null;
  });
  /** The folders whose files the ledger shows. */
  chosenFolders = $derived.by(() => {
    const chosen = this.selection;
    if (chosen.kind === 'all') return this.folders;
    return this.folders.filter((f) =>
      chosen.kind === 'folder' ? f.id === chosen.id : f.collection === chosen.name,
    );
  });
  counts = $derived(count(this.chosenFolders));

  constructor(backend: Backend, announce: (sentence: string) => void) {
    this.#backend = backend;
    this.#announce = announce;
    this.rows = new LedgerRows(backend);
    this.searchModel = new SearchModelChange(backend, announce);
    this.recut = new Recut(backend);
    this.unlock = new Unlock(backend, announce, () => void this.rows.refresh());
  }

  /** Loads and follows the library; the result ends it. */
  start(): () => void {
    const ends = [
      this.#backend.onLibrary((state) => this.#take(state)),
      this.searchModel.start(),
      this.unlock.start(),
    ];
    void this.#guard(async () => this.#take(await this.#backend.library()));
    return () => ends.forEach((end) => end());
  }

  /** Asks anew for the rows, after the language has changed; the folders follow by themselves. */
  sayAgain(): Promise<void> {
    return this.rows.refresh();
  }

  /** Files of a collection. */
  countOf(collection: string): number {
    return count(this.folders.filter((f) => f.collection === collection)).all;
  }

  /** The folder of a file, told from the watched folder it is in. */
  placeOf(path: string): string {
    const place = folderOf(path);
    const watched = this.folders.find((f) => place === f.path || place.startsWith(`${f.path}/`));
    return watched ? shortPath(watched.path) + place.slice(watched.path.length) : place;
  }

  select(selection: Selection): void {
    this.selection = selection;
    this.#show();
  }

  narrow(filter: LedgerFilter): void {
    this.filter = filter;
    this.#show();
  }

  find(text: string): void {
    this.search = text;
    this.#show();
  }

  sortBy(sort: FileSort): void {
    this.sort = sort;
    this.#show();
  }

  /** Adds files and folders to what is selected; what takes long is asked about first. */
  async add(paths: string[]): Promise<void> {
    if (paths.length === 0) return;
    await this.#guard(async () => {
      const options = this.#place();
      const plan = await this.#backend.planAdd(paths, options);
      if (plan.long) this.planned = { paths, options, plan };
      else await this.#add(paths, options);
    });
  }

  /** Adds what was asked about. */
  async addPlanned(): Promise<void> {
    const planned = this.planned;
    this.planned = null;
    if (planned) await this.#guard(() => this.#add(planned.paths, planned.options));
  }

  /** Asks for files and tells where they stand. */
  async why(): Promise<void> {
    await this.#guard(async () => {
      this.standings = await this.#backend.pickWhy();
    });
  }

  #place(): { collection?: string } {
    const collection = this.collection?.name;
    return collection ? { collection } : {};
  }

  async #add(paths: string[], options: { collection?: string }): Promise<void> {
    const result = await this.#backend.add(paths, options);
    this.refused = result.problems;
    this.#announce(m.added_files({ count: result.added, n: number(result.added) }));
    this.#take(await this.#backend.library());
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
    await this.#change(async () => {
      const failed = new LedgerRows(this.#backend);
      await failed.show(this.#queries('attention'));
      for (const file of await failed.all()) await this.#backend.retry(file.path);
    });
  }

  remove(path: string, forget: boolean): Promise<void> {
    return this.#change(() => this.#backend.remove(path, forget));
  }

  setLabel(path: string, restricted: boolean): Promise<void> {
    return this.#change(() => this.#backend.setLabel(path, restricted ? 'restricted' : 'public'));
  }

  setClass(path: string, name: string): Promise<void> {
    return this.#change(() => this.#backend.setClass(path, name));
  }

  /** Shows where the time of the newest run of reading went. */
  async showReport(): Promise<void> {
    await this.#guard(async () => {
      this.report = await this.#backend.ingestReport();
    });
  }

  /** Asks in which encoding a file is read. */
  async askEncoding(file: FileRow): Promise<void> {
    await this.#guard(async () => {
      if (this.encodings.length === 0) this.encodings = await this.#backend.encodings();
      this.encodingOf = file;
    });
  }

  /** Has the file that was asked about read again; empty: as the program finds out. */
  async setEncoding(encoding: string): Promise<void> {
    const path = this.encodingOf?.path;
    this.encodingOf = null;
    if (path !== undefined) await this.#change(() => this.#backend.setEncoding(path, encoding));
  }

  /** Gives the file that was asked about exactly these tags. */
  async setTags(tags: readonly string[]): Promise<void> {
    const path = this.tagsOf?.path;
    if (path === undefined) return;
    await this.#change(async () => {
      await this.#backend.setTags(path, tags);
      this.tagsOf = null; // what was written stays where it fails
    });
  }

  /** Makes an empty public collection and shows it; files that are added then go into it. */
  async createCollection(name: string): Promise<void> {
    await this.#guard(async () => {
      const made = await this.#backend.createCollection(name, 'public');
      this.#take(await this.#backend.library());
      this.select({ kind: 'collection', name: made.name });
    });
  }

  async renameCollection(name: string, to: string): Promise<void> {
    const clean = to.trim();
    if (!clean || clean === name) return;
    await this.#guard(async () => {
      await this.#backend.renameCollection(name, clean);
      this.#take(await this.#backend.library());
      this.select({ kind: 'collection', name: clean });
    });
  }

  /** Takes the collection away; its files stay in the library. */
  async deleteCollection(name: string): Promise<void> {
    await this.#guard(async () => {
      await this.#backend.deleteCollection(name);
      this.select({ kind: 'all' });
      this.#take(await this.#backend.library());
    });
  }

  open(path: string): Promise<void> {
    return this.#guard(() => this.#backend.open(path));
  }

  reveal(path: string): Promise<void> {
    return this.#guard(() => this.#backend.reveal(path));
  }

  async togglePause(): Promise<void> {
    const paused = this.progress?.paused ?? false;
    await this.#guard(async () => {
      await (paused ? this.#backend.resume() : this.#backend.pause());
      this.#take(await this.#backend.library());
    });
  }

  /** Asks for the rows that selection, filter and search describe. */
  #show(): void {
    this.marked.clear();
    void this.rows.show(this.#queries(this.filter));
  }

  /** A list for each folder and each state that is asked for. */
  #queries(filter: LedgerFilter): ListQuery[] {
    const search = this.search.trim();
    const base: ListQuery = { ...(search ? { search } : {}), sort: this.sort };
    const folders: ListQuery[] =
      this.selection.kind === 'all' ? [base] : this.chosenFolders.map((f) => ({ ...base, folder: f.id }));
    const statuses = filterStatuses(filter);
    if (statuses.length === 0) return folders;
    return folders.flatMap((query) => statuses.map((status) => ({ ...query, status })));
  }

  #take(state: LibraryState): void {
    const before = this.state;
    this.state = state;
    this.#announceProgress(state.progress);
    // Rows are read again only when a file changed its place in the counts, or when something
    // changed that no count shows, such as tags from a terminal.
    if (!before) this.#show();
    else if (signature(before) !== signature(state)) void this.rows.show(this.#queries(this.filter));
    else if (JSON.stringify(before) === JSON.stringify(state)) void this.rows.refresh();
  }

  async #change(work: () => Promise<void>): Promise<void> {
    await this.#guard(work);
    await this.rows.refresh();
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
