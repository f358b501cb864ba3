// What keeps the program in order: other programs, profiles, the data folder,
// and what is measured of models. Sizes are bytes.

/** How other programs reach the library. */
export interface Serving {
  /** Where they are answered; null: nowhere. */
  address: string | null;
  /** Why nobody is answered although the setting asks for it. */
  problem: string | null;
  token: string;
}

/** Settings that belong together. */
export interface Profile {
  name: string;
  values: Record<string, string>;
}

export interface IndexSize {
  library: number;
  conversations: number;
  search: number;
  backups: number;
  chunks: number;
  vectors: number;
}

export interface IndexReport {
  problems: string[];
  repaired: boolean;
}

/** How far the search index is that is being built anew. */
export interface Rebuilding {
  id: string;
  done: number;
  total: number;
}

/** A backup that was checked and takes its place at the next start. */
export interface PickedBackup {
  /** False: the dialog was closed. */
  picked: boolean;
  path: string;
  /** Where the data of today are kept. */
  before: string;
  /** It let texts leave the computer or other programs ask; that is off again. */
  reset: boolean;
}

/** A conversation in a file, before it is taken in. */
export interface PickedConversation {
  picked: boolean;
  file: string;
  title: string;
  turns: number;
  passages: number;
  first: string;
  last: string;
  questions: string[];
  /** Turns whose answer was not in the file. */
  withheld: number;
}

/** What would go where. */
export interface Fit {
  devices: { name: string; free: number; total: number }[];
  /** Main memory; 0: not known. */
  memory: number;
  roles: FitRole[];
  /** What is sacrificed, in sentences. */
  given_up: string[];
  room: number;
  used: number;
  /** What was chosen needs more than there is. */
  over: boolean;
}

export interface FitRole {
  role: string;
  model: string;
  layers: number;
  of: number;
  context: number;
  cache: string;
  device_bytes: number;
  host_bytes: number;
  shares: boolean;
}

export interface FitRequest {
  gpus: number[] | null;
  models: Record<string, string> | null;
  /** -1: as many as fit; null: as the settings say. */
  layers: number | null;
}

export interface RemoteRequest {
  role: string;
  /** "off" ends it. */
  url: string;
  model: string;
  /** Empty leaves the key that is stored. */
  key: string;
}

/** What one short reply has measured. Rates are tokens or bytes a second, 0: not measured. */
export interface Speed {
  role: string;
  tokens: number;
  decode: number;
  prefill: number;
  reached: number;
  memory: number;
}
