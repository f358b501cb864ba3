// The rows of the ledger, read page by page as they come into sight. What is
// asked for may be several lists one after the other (a list for each folder of
// a collection, for each state of a filter); they are shown as one.
import { type Backend, type FileQuery, type FileRow, toApiError } from '../../api';

/** One list of the program: everything but the place in it. */
export type ListQuery = Omit<FileQuery, 'offset' | 'limit'>;

/** Rows that are read at once. */
export const pageSize = 100;

interface Part {
  key: string;
  query: ListQuery;
  total: number;
  pages: ReadonlyMap<number, FileRow[]>;
  /** Pages as they were before the last refresh: shown until they are read again. */
  stale: ReadonlyMap<number, FileRow[]>;
}

export class LedgerRows {
  loaded = $state(false);
  problem = $state<string | null>(null);
  #parts = $state.raw<Part[]>([]);
  #queries: ListQuery[] = [];
  #reading = new Set<string>();
  #busy = false;
  #again = false;
  /** Counts the questions asked; an answer to an older one is dropped. */
  #generation = 0;
  #backend: Backend;

  total = $derived(this.#parts.reduce((sum, part) => sum + part.total, 0));

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /** Shows other lists, from their beginning. */
  async show(queries: ListQuery[]): Promise<void> {
    this.#queries = queries;
    await this.refresh();
  }

  /**
   * Reads the lists again; the rows in sight follow when they are wanted. Asked
   * while it reads, it reads once more afterwards.
   */
  async refresh(): Promise<void> {
    this.#generation++;
    this.#again = true;
    if (this.#busy) return;
    this.#busy = true;
    while (this.#again) {
      this.#again = false;
      await this.#readFirst();
    }
    this.#busy = false;
  }

  async #readFirst(): Promise<void> {
    const generation = this.#generation;
    this.#reading.clear();
    try {
      const parts: Part[] = [];
      for (const query of this.#queries) {
        const first = await this.#backend.files({ ...query, offset: 0, limit: pageSize });
        if (generation !== this.#generation) return;
        const key = JSON.stringify(query);
        const old = this.#parts.find((part) => part.key === key);
        parts.push({
          key,
          query,
          total: first.total,
          pages: new Map([[0, first.files]]),
          stale: old ? new Map([...old.stale, ...old.pages]) : new Map(),
        });
      }
      this.#parts = parts;
      this.problem = null;
    } catch (cause) {
      if (generation === this.#generation) this.problem = toApiError(cause).sentence;
    }
    if (generation === this.#generation) this.loaded = true;
  }

  /** The row at a place, or undefined while its page is read for the first time. */
  row(index: number): FileRow | undefined {
    const at = this.#find(index);
    if (!at) return undefined;
    const page = Math.floor(at.offset / pageSize);
    const { pages, stale } = at.part;
    return (pages.get(page) ?? stale.get(page))?.[at.offset % pageSize];
  }

  /** Reads the pages of a range of rows that are not there yet. */
  want(first: number, last: number): void {
    const wanted = new Map<string, { part: Part; page: number }>();
    for (let index = first; index <= last; index++) {
      const at = this.#find(index);
      if (!at) continue;
      const page = Math.floor(at.offset / pageSize);
      if (!at.part.pages.has(page)) wanted.set(`${at.part.key}:${page}`, { part: at.part, page });
    }
    for (const [key, { part, page }] of wanted) void this.#read(key, part, page);
  }

  /** Every row, read in whole. */
  async all(): Promise<FileRow[]> {
    const rows: FileRow[] = [];
    for (const { query, total } of this.#parts) {
      if (total > 0) rows.push(...(await this.#backend.files({ ...query, offset: 0, limit: total })).files);
    }
    return rows;
  }

  #find(index: number): { part: Part; offset: number } | null {
    let offset = index;
    for (const part of this.#parts) {
      if (offset < part.total) return { part, offset };
      offset -= part.total;
    }
    return null;
  }

  async #read(key: string, part: Part, page: number): Promise<void> {
    if (this.#reading.has(key)) return;
    this.#reading.add(key);
    const generation = this.#generation;
    try {
      const { files, total } = await this.#backend.files({
        ...part.query,
        offset: page * pageSize,
        limit: pageSize,
      });
      if (generation !== this.#generation) return;
      this.#parts = this.#parts.map((old) =>
        old.key === part.key ? { ...old, total, pages: new Map(old.pages).set(page, files) } : old,
      );
    } catch (cause) {
      if (generation === this.#generation) this.problem = toApiError(cause).sentence;
    } finally {
      this.#reading.delete(key);
    }
  }
}
