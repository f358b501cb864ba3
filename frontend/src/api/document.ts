// A document and a passage of it, for the reader.
import type { Label } from './library';
import type { Locator } from './turn';

/** How the file on the disk compares with what was read of it. */
export type FileState = 'same' | 'changed' | 'gone';

/** A passage of the text and where in the file it stands. Offsets count code points. */
export interface TextPart {
  start: number;
  length: number;
  content_hash: string;
  /** The headings above it, "Part > Section". */
  heading: string | null;
  locator: Locator;
}

export interface DocumentText {
  title: string;
  path: string;
  text: string;
  kind: string;
  pages: number;
  label: Label;
  state: FileState;
  /** Names the bytes of the file; empty when it is gone. */
  version: string;
  parts: TextPart[];
}

/** The address of the bytes of a document: by number, never by path. */
export function documentAddress(id: number, version: string): string {
  return `/document/${id}?v=${encodeURIComponent(version)}`;
}

export interface Passage {
  text: string;
  before: string;
  after: string;
  locator: Locator;
  heading: string | null;
  title: string;
  path: string;
  /** The file is gone; the stored passage is shown. */
  missing: boolean;
}
