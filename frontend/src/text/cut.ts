// Names and paths that are too long for their place.

/** What stands for the part that is left out. */
const dots = '…';

/**
 * The longest form of a file name that fits, cut in its middle. At least 12
 * characters before the extension stay; a name that cannot be made to fit keeps
 * just those.
 */
export function cutMiddle(name: string, fits: (text: string) => boolean): string {
  if (fits(name)) return name;
  const letters = [...name];
  const dot = letters.lastIndexOf('.');
  const extension = dot > 0 && letters.length - dot <= 8 ? letters.length - dot : 0;
  const tail = letters.slice(-(12 + extension)).join('');
  const head = letters.slice(0, -(12 + extension));
  let low = 0;
  let high = head.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(head.slice(0, middle).join('').trimEnd() + dots + tail)) low = middle;
    else high = middle - 1;
  }
  return head.slice(0, low).join('').trimEnd() + dots + tail;
}

/** The last part of a path. */
export function baseName(path: string): string {
  return path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;
}

/** The folder of a path, without the last part. */
export function folderOf(path: string): string {
  const at = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  return at > 0 ? path.slice(0, at) : '';
}

/** The last two parts of a folder's path: enough to tell it from others. */
export function shortPath(path: string): string {
  return path.split(/[\\/]/).filter(Boolean).slice(-2).join('/') || path;
}
