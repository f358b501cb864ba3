// How files are read: passwords, encodings, classes, what it took, and the change
// to another search model.
import type { AddPlan } from './library';
import { list } from './shape';

/** What stands between the search model that the settings name and its use. */
export interface EmbedPlan {
  /** The model that serves. */
  from: string | null;
  /** The model that the settings name; null: the same. */
  to: string | null;
  /** Passages that need a vector of it, and how many have one. */
  passages: number;
  done: number;
  /** Of the rest; 0: not known. */
  seconds: number;
  building: boolean;
  sentence: string | null;
}

/** Where the time of the newest run of reading went. Times are seconds. */
export interface IngestReport {
  files: number;
  pages: number;
  passages: number;
  vectors: number;
  /** From the first file to the last vector. */
  seconds: number;
  parse: number;
  chunk: number;
  write: number;
  embed: number;
  other: number;
  files_per_second: number;
}

/** What it would cost to read files anew that an earlier version has read. */
export interface RecutPlan extends AddPlan {
  sentence: string;
}

export interface UnlockRequest {
  /** A file, or a folder: the protected files in it. */
  path: string;
  password: string;
  /** Keep it in the system's keyring once it has opened the file. */
  keep: boolean;
}

export interface Unlocked {
  kept: boolean;
  /** Why it is not kept although that was asked for. */
  sentence: string | null;
}

export interface Encoding {
  name: string;
  script: Script;
}

export type Script =
  | 'unicode'
  | 'western'
  | 'central_european'
  | 'nordic'
  | 'celtic'
  | 'southern'
  | 'romanian'
  | 'baltic'
  | 'cyrillic'
  | 'greek'
  | 'turkish'
  | 'hebrew'
  | 'arabic'
  | 'thai'
  | 'vietnamese'
  | 'japanese'
  | 'chinese_simplified'
  | 'chinese_traditional'
  | 'korean';

export interface IngestBackend {
  /** Reads protected files with a password. Whether it is right is told by their state. */
  unlock(request: UnlockRequest): Promise<Unlocked>;
  ingestReport(): Promise<IngestReport>;
  planEmbedder(): Promise<EmbedPlan>;
  /** Builds the index of the other search model; resolves when it has taken over. */
  buildEmbedder(): Promise<void>;
  stopEmbedder(): Promise<void>;
  onEmbedder(handler: (plan: EmbedPlan) => void): () => void;
  /** Corrects the class of one passage; empty: that of its file. */
  setPassageClass(chunk: number, name: string): Promise<void>;
  /** No files: nothing to read anew. */
  planRecut(): Promise<RecutPlan>;
  /** Begins, and returns. */
  recut(): Promise<void>;
  encodings(): Promise<Encoding[]>;
  /** Reads a file in an encoding; empty: as the program finds out. */
  setEncoding(path: string, encoding: string): Promise<void>;
  /** Gives a file exactly these tags. */
  setTags(path: string, tags: readonly string[]): Promise<void>;
}

type Calls = <A extends unknown[], T = void>(method: string) => (...values: A) => Promise<T>;

/** Binds the calls; the event is bound beside them. */
export function ingestCalls(calls: Calls): Omit<IngestBackend, 'onEmbedder'> {
  const encodings = calls<[], Encoding[] | null>('Encodings');
  return {
    unlock: calls('Unlock'),
    ingestReport: calls('IngestReport'),
    planEmbedder: calls('PlanEmbedder'),
    buildEmbedder: calls('BuildEmbedder'),
    stopEmbedder: calls('StopEmbedder'),
    setPassageClass: calls('SetPassageClass'),
    planRecut: calls('PlanRecut'),
    recut: calls('Recut'),
    encodings: async () => list(await encodings()),
    setEncoding: calls('SetEncoding'),
    setTags: calls('SetTags'),
  };
}
