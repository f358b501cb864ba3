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
  /** Id of its collection; 0 or null: none. */
  collection: number | null;
  label: Label;
  state: 'watching' | 'polling' | 'offline' | 'paused';
  reason: string;
  indexed: number;
  waiting: number;
  failed: number;
  ignored: number;
  last_checked: string | number;
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
  /** Null while it cannot be told. */
  remaining_seconds: number | null;
  paused: boolean;
  vectors_done: number;
  vectors_total: number;
  /** The file being read, or empty. */
  current: string;
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
  reason: string;
  chunks: number;
  vectors: number;
  class: string;
  label: Label;
  updated: string | number;
  size: number;
  pages: number;
  kind: string;
  title: string;
}

/** Which files, and in which order. What is left out does not narrow. */
export interface FileQuery {
  folder?: number;
  /** Id of a collection: the files of all its folders. */
  collection?: number;
  /** One status, or several joined by commas. */
  status?: string;
  search?: string;
  /** name, status, size, chunks or updated; with a minus in front from the greatest down. */
  sort?: string;
  offset: number;
  limit: number;
}

export interface FilePage {
  total: number;
  files: FileRow[];
}

export interface AddResult {
  added: number;
  problems: { path: string; sentence: string }[];
}
