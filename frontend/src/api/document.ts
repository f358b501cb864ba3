// A document and a passage of it, for the reader.
import type { Locator } from './turn';

export interface DocumentText {
  title: string;
  path: string;
  text: string;
  kind: string;
  pages: number;
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
