// What reaches the window from outside the page: files that fall on it, and what
// a second start of the program hands over.
import type { Backend } from '../api';
import { sortDropped } from './drag.svelte';

export interface Arrivals {
  files(paths: string[]): void;
  /** Files that fell on the window. */
  dropped(paths: string[]): void;
  model(path: string): void;
  /** Archives of a pack of libraries. */
  packs(paths: string[]): void;
  action(name: string): void;
  /** Something fell, whatever it was. */
  fell(): void;
}

/** Follows them; the results end it. */
export function follow(backend: Backend, to: Arrivals): (() => void)[] {
  return [
    backend.onOpenPaths((paths) => to.files(paths)),
    backend.onOpenAction((action) => to.action(action)),
    backend.onFileDrop((paths) => {
      to.fell();
      const { model, packs, files } = sortDropped(paths);
      if (model) to.model(model);
      if (packs.length > 0) to.packs(packs);
      if (files.length > 0) to.dropped(files);
    }),
  ];
}
