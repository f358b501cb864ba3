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
  /** The role whose file it shares. */
  shared: string | null;
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
}

export interface ModelsState {
  roles: ModelState[];
  catalogue: CatalogueEntry[];
  runtime: { name: string; devices: string[]; reason: string | null };
}
