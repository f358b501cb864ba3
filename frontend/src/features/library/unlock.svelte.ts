// Opens protected files with a password. Whether it was the right one is known
// when the file has been read again; the question stays open until then.
import { type Backend, type FileRow, toApiError } from '../../api';
import { m } from '../../paraglide/messages';
import { baseName } from '../../text/cut';

export class Unlock {
  /** The file, or the folder with files, that is asked about; null: none. */
  path = $state<string | null>(null);
  folder = $state(false);
  /** The password is being tried. */
  working = $state(false);
  problem = $state<string | null>(null);
  /** What is to know after it: that the password could not be kept. */
  note = $state<string | null>(null);

  #backend: Backend;
  #announce: (sentence: string) => void;
  /** Has the rows read again. */
  #refresh: () => void;
  #checking = false;
  /** Asked while it checks, it checks once more. */
  #again = false;

  constructor(backend: Backend, announce: (sentence: string) => void, refresh: () => void) {
    this.#backend = backend;
    this.#announce = announce;
    this.#refresh = refresh;
  }

  /** Sees when the file has been read; the result ends it. */
  start(): () => void {
    return this.#backend.onLibrary(() => void this.#check());
  }

  ask(path: string, folder = false): void {
    this.path = path;
    this.folder = folder;
    this.working = false;
    this.problem = this.note = null;
  }

  /** Leaves; what is being tried goes on. */
  close(): void {
    this.path = null;
    this.working = false;
  }

  async submit(password: string, keep: boolean): Promise<void> {
    const { path, folder } = this;
    if (path === null || this.working) return;
    this.working = true;
    this.problem = null;
    try {
      const unlocked = await this.#backend.unlock({ path, password, keep });
      this.note = unlocked.sentence;
    } catch (cause) {
      this.problem = toApiError(cause).sentence;
      this.working = false;
      return;
    }
    this.#refresh(); // the rows show that they wait
    if (folder) {
      this.#announce(m.unlock_folder_tried());
      this.close();
    } else await this.#check();
  }

  async #check(): Promise<void> {
    this.#again = true;
    if (this.#checking) return;
    this.#checking = true;
    while (this.#again) {
      this.#again = false;
      if (this.path !== null && this.working) await this.#look(this.path);
    }
    this.#checking = false;
  }

  async #look(path: string): Promise<void> {
    let file: FileRow | undefined;
    try {
      const found = await this.#backend.files({ search: path, offset: 0, limit: 50 });
      file = found.files.find((row) => row.path === path);
    } catch {
      return; // the next notice of the library asks again
    }
    if (this.path !== path || !file || file.status === 'waiting' || file.status === 'indexing') return;
    this.working = false;
    this.#refresh(); // and now how it ended
    if (file.status === 'needs_password') {
      this.problem = file.reason || m.unlock_wrong();
      return;
    }
    this.#announce(m.unlock_done({ name: baseName(path) }));
    this.close();
  }
}
