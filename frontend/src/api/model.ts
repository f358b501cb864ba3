// Models, the runtime, and the state shown in the status strip.

export interface RoleStatus {
  /** Empty: no model. */
  name: string;
  layers: number;
  gpu_layers: number;
  device: string;
  runtime: string;
  /** Percent while loading. */
  loading?: number | null;
  state: string;
  note: string;
}

export interface ProgramStatus {
  answer: RoleStatus;
  embed: RoleStatus;
  tokens_per_second: number | null;
  outbound: number;
  index: { documents: number; chunks: number; vectors_done: number; vectors_total: number };
  notices: { kind: string; sentence: string }[];
}

export interface ModelRole {
  role: string;
  model: string | null;
  state: string;
  note: string;
}

export interface CatalogueEntry {
  id: string;
  name: string;
  roles: string[];
  size_bytes: number;
  licence: string;
  installed: boolean;
  fits: boolean;
}

export interface ModelsState {
  roles: ModelRole[];
  catalogue: CatalogueEntry[];
  runtime: { name: string; devices: string[]; reason: string };
}
