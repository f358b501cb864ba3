// The library: folders, collections, files and the progress of indexing.

export type FileStatus =
  | 'waiting'
  | 'indexing'
  | 'indexed'
  | 'partly_indexed'
  | 'needs_password'
  | 'needs_ocr'
  | 'unsupported'
  | 'too_large'
  | 'damaged'
  | 'timed_out'
  | 'cloud_only'
  | 'no_permission'
  | 'parked'
  | 'offline';

export type Label = 'public' | 'restricted';

export interface Folder {
  id: number;
  path: string;
  /** Name of its collection. */
  collection: string | null;
  label: Label;
  state: 'watching' | 'polling' | 'offline' | 'paused';
  reason: string | null;
  indexed: number;
  waiting: number;
  failed: number;
  ignored: number;
  last_checked: string | null;
  single_file: boolean;
}

export interface Collection {
  id: number;
  name: string;
  label: Label;
}

export interface Progress {
  done: number;
  total: number;
  files_per_minute: number;
  /** 0 while it cannot be told. */
  remaining_seconds: number;
  paused: boolean;
  vectors_done: number;
  vectors_total: number;
  /** The file being read. */
  current: string | null;
  /** What holds indexing up. */
  sentence: string | null;
}

export interface LibraryState {
  folders: Folder[];
  collections: Collection[];
  progress: Progress;
}

export interface FileRow {
  id: number;
  path: string;
  name: string;
  status: FileStatus;
  reason: string | null;
  chunks: number;
  vectors: number;
  class: string;
  label: Label;
  updated: string | number;
  size: number;
  pages: number;
  kind: string | null;
  title: string | null;
  /** In which the stored text was read; null: the kind has none, or it was never read. */
  encoding: string | null;
  /** What the person set; null: found out. */
  encoding_choice: string | null;
  takes_encoding: boolean;
  /** The person's own, sorted. */
  tags: string[];
}

/** Which files, and in which order. What is left out does not narrow. */
export interface FileQuery {
  folder?: number;
  status?: FileStatus;
  search?: string;
  /** Newest first and largest first; paths and states by letter. */
  sort?: FileSort;
  offset: number;
  limit: number;
}

export type FileSort = 'path' | 'status' | 'updated' | 'size';

export interface FilePage {
  total: number;
  files: FileRow[];
}

/** What adding would cost. Sizes are bytes, times seconds. */
export interface AddPlan {
  files: number;
  bytes: number;
  /** Of PDF files and pictures, about. */
  pages: number;
  passages: number;
  /** Until every word can be found. */
  seconds: number;
  /** Until search by meaning is complete; 0: not known. */
  meaning: number;
  /** Longer than a minute: the person is asked first. */
  long: boolean;
}

/** Where a file stands in the library, in a sentence. */
export interface Standing {
  name: string;
  path: string;
  sentence: string;
}

export interface AddResult {
  added: number;
  problems: { path: string; sentence: string }[];
}
