// Models, the runtime, and the state shown in the status strip.

/** What plays a role now, or would: a model is loaded when it is first needed. */
export interface ModelState {
  role: string;
  id: string | null;
  /** Null: no model is installed for the role. */
  name: string | null;
  state: 'none' | 'loading' | 'loaded' | 'failed';
  /** 0 to 1 while it loads. */
  loading: number;
  note: string | null;
  layers: number;
  gpu_layers: number;
  device: string | null;
  runtime: string | null;
  /** Memory that it takes while it is loaded. */
  bytes?: number;
  /** The role whose file it shares. */
  shared: string | null;
  /** The server that texts are sent to; null: nothing leaves this computer. */
  remote: string | null;
}

export interface ProgramStatus {
  answer: ModelState;
  condense: ModelState;
  embed: ModelState;
  /** 0 until something was measured. */
  tokens_per_second: number;
  outbound: number;
  index: { documents: number; chunks: number; vectors_done: number; vectors_total: number };
  notices: { kind: string; sentence: string }[];
}

export interface CatalogueEntry {
  id: string;
  name: string;
  roles: string[];
  size_bytes: number;
  licence: string;
  installed: boolean;
  /** A sentence on what it needs. */
  fits: string | null;
  /** How it would run here. */
  class: 'gpu' | 'split' | 'cpu' | 'too_large';
  downloadable: boolean;
  /** Where it would come from. */
  host: string | null;
  /** What the file of an installed model was compared with. */
  proof: 'catalogue' | 'server' | 'none' | null;
  /** It lies in the person's own folder and can be removed. */
  own: boolean;
  /** A download that runs or waits. */
  transfer: Transfer | null;
}

/** Where a download, or the copy of an imported file, stands. Sizes are bytes. */
export interface Transfer {
  id: string;
  state:
    | 'asking'
    | 'connecting'
    | 'resuming'
    | 'receiving'
    | 'waiting'
    | 'verifying'
    | 'copying'
    | 'testing'
    | 'paused'
    | 'done'
    | 'failed';
  done: number;
  /** 0 while unknown. */
  total: number;
  /** Bytes a second; 0 while unknown. */
  rate: number;
  remaining_seconds: number;
  /** The host that waits for a permission, while asking. */
  asks: string | null;
  /** Why it waits or failed. */
  sentence: string | null;
}

/** A model file that was imported. */
export interface ModelFile {
  id: string;
  name: string;
  /** What could not be compared. */
  sentence: string | null;
}

export interface ModelsState {
  roles: ModelState[];
  catalogue: CatalogueEntry[];
  runtime: { name: string; devices: string[]; reason: string | null };
}

/** Where an archive of a pack lies. */
export interface ArchiveSource {
  url: string;
  /** Empty: compared with the one that the server announces. */
  sha256: string;
  /** 0: not known. */
  bytes: number;
}

/** Libraries that models run on, installed or not. */
export interface RuntimeFolder {
  name: string;
  version: string;
  /** Null: not installed. */
  folder: string | null;
  used: boolean;
  removable: boolean;
  /** Why it is not used, or what could not be compared. */
  sentence: string | null;
  /** To be accepted before it is installed. */
  notice: string | null;
  /** Why a pack would not run here, or does not yet. */
  lacks: string | null;
  /** Commands that fetch its archives. */
  fetch: string[];
  sources: ArchiveSource[];
  /** A download that runs or waits. */
  transfer: Transfer | null;
}

/** What a look at a runtime has shown; the last sentence says what is wrong. */
export interface RuntimeCheck {
  name: string;
  ok: boolean;
  sentences: string[];
}
