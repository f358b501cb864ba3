// Models, their downloads, and the state in the strip.
import type {
  ArchiveSource,
  CatalogueEntry,
  ModelFile,
  ModelsState,
  ProgramStatus,
  RuntimeCheck,
  RuntimeFolder,
  Transfer,
} from '../../src/api';
import type { MockOptions } from './base';
import { MockReader } from './reader';
import { noTransfer, sampleModels, sampleRuntimes, sampleStatus } from './roles';

export class MockModels extends MockReader {
  status: ProgramStatus;
  models: ModelsState;
  runtimes = sampleRuntimes();

  private pulls = new Map<string, { resolve: () => void; reject: (cause: unknown) => void }>();

  constructor(options: MockOptions) {
    super(options);
    this.status = sampleStatus(options.empty ?? false);
    this.models = sampleModels(options.empty ?? false);
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
    if (id.startsWith('runtime-')) {
      this.runtime(id.slice('runtime-'.length), {
        transfer: { ...noTransfer, id, state: 'paused', done: 4e8, total: 5.89e8 },
      });
    }
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

  Runtimes(): RuntimeFolder[] {
    return this.runtimes;
  }

  InstallRuntime(_id: string, request: { name: string; archives: string[] }): RuntimeFolder {
    this.transfer(`runtime-${request.name}`, { state: 'testing' });
    return this.runtime(request.name, {
      folder: `/home/ada/.cache/referent/runtime/${request.name}`,
      removable: true,
      transfer: null,
    });
  }

  /** Asks for the host, then waits for finishRuntime. */
  async PullRuntime(request: { name: string; from: ArchiveSource[] }): Promise<RuntimeFolder> {
    await this.PullModel(`runtime-${request.name}`);
    return this.InstallRuntime('', { name: request.name, archives: [] });
  }

  RemoveRuntime(name: string): void {
    this.runtime(name, { folder: null, removable: false, transfer: null });
  }

  CheckRuntime(_id: string, name: string): RuntimeCheck {
    return {
      name,
      ok: true,
      sentences: ['Every library is the right one.', 'A small model ran on it and computed what it must.'],
    };
  }

  /** Ends the download of a pack that was begun. */
  finishRuntime(name: string): void {
    this.pulls.get(`runtime-${name}`)?.resolve();
  }

  private runtime(name: string, change: Partial<RuntimeFolder>): RuntimeFolder {
    this.runtimes = this.runtimes.map((r) => (r.name === name ? { ...r, ...change } : r));
    const found = this.runtimes.find((r) => r.name === name);
    if (!found) throw new Error(`no runtime ${name}`);
    return found;
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
}
