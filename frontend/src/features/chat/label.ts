// How a passage's document is named.
import type { Hit } from '../../api';
import { baseName } from '../../text/cut';

/** The file name, or the title where there is no file. */
export function fileLabel(hit: Pick<Hit, 'path' | 'title'>): string {
  return baseName(hit.path) || hit.title;
}
