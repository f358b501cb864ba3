// The data folder: its size, backup and restore, and the search index, which can
// be checked and built anew at any time.
import {
  type ApiError,
  type Backend,
  type IndexReport,
  type IndexSize,
  type PickedBackup,
  toApiError,
} from '../../api';
import { m } from '../../paraglide/messages';

export type Work = 'backup' | 'restore' | 'verify' | 'repair' | 'rebuild';

export class DataModel {
  size = $state.raw<IndexSize | null>(null);
  /** What runs; one piece of work at a time. */
  working = $state<Work | null>(null);
  /** 0 to 1 while the index is built; null: not known. */
  progress = $state<number | null>(null);
  report = $state.raw<IndexReport | null>(null);
  /** A backup that the next start brings back. */
  planned = $state.raw<PickedBackup | null>(null);
  /** What was done last, a sentence. */
  done = $state<string | null>(null);
  problem = $state<string | null>(null);

  #backend: Backend;
  #newId: () => string;
  #running = '';

  constructor(backend: Backend, newId: () => string) {
    this.#backend = backend;
    this.#newId = newId;
    backend.onRebuilding(({ id, done, total }) => {
      if (id === this.#running) this.progress = total > 0 ? done / total : 1;
    });
  }

  async load(): Promise<void> {
    try {
      this.size = await this.#backend.indexSize();
    } catch (cause) {
      this.problem = toApiError(cause).sentence;
    }
  }

  backup = () =>
    this.#work('backup', async (id) => {
      const path = await this.#backend.backup(id);
      return path ? m.backup_done({ path }) : null;
    });

  /** Lays a backup ready; it takes its place when the program starts again. */
  pickBackup = () =>
    this.#work('restore', async (id) => {
      const picked = await this.#backend.pickBackup(id);
      if (picked.picked) this.planned = picked;
      return null;
    });

  verify = () =>
    this.#work('verify', async (id) => {
      this.report = await this.#backend.verifyIndex(id);
      return this.report.problems.length === 0 ? m.index_well() : null;
    });

  repair = () =>
    this.#work('repair', async (id) => {
      this.report = await this.#backend.repairIndex(id);
      if (this.report.repaired) return m.index_repaired();
      return this.report.problems.length === 0 ? m.index_well() : null;
    });

  rebuild = () =>
    this.#work('rebuild', async (id) => {
      await this.#backend.rebuildIndex(id);
      this.report = null;
      return m.index_rebuilt();
    });

  diagnostics = async (): Promise<void> => {
    await this.#try(async () => {
      const path = await this.#backend.saveDiagnostics();
      this.done = path ? m.diagnostics_done({ path }) : null;
    });
  };

  restart = (): Promise<void> => this.#try(() => this.#backend.restart());

  stop = (): Promise<void> => this.#try(() => this.#backend.stop(this.#running));

  async #work(what: Work, run: (id: string) => Promise<string | null>): Promise<void> {
    if (this.working) return;
    this.working = what;
    this.progress = null;
    this.#running = this.#newId();
    await this.#try(async () => {
      this.done = await run(this.#running);
      this.size = await this.#backend.indexSize();
    });
    this.working = null;
  }

  async #try(work: () => Promise<void>): Promise<void> {
    this.done = this.problem = null;
    try {
      await work();
    } catch (cause) {
      const error = toApiError(cause);
      if (isCancelled(error)) this.done = m.work_stopped();
      else this.problem = error.sentence;
    }
  }
}

function isCancelled(error: ApiError): boolean {
  return error.code === 'cancelled';
}
