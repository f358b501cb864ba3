// What the window remembers by itself: sizes and appearance, nothing of the
// person's texts. A page without storage works, it only forgets.

const prefix = 'referent.';

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(prefix + key, value);
  } catch {
    // Storage is off or full.
  }
}

export function recall(key: string): string | null {
  try {
    return localStorage.getItem(prefix + key);
  } catch {
    return null;
  }
}
