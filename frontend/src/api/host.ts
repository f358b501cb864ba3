// What the desktop program puts on the page: bound methods and a runtime. The
// rest of the frontend never sees it.

/** A method of the bound struct; it takes plain values and rejects with {code, message, hint}. */
export type BoundMethod = (...values: unknown[]) => Promise<unknown>;

/** The two globals of the host. */
export interface Host {
  go: { desktop: { Window: Record<string, BoundMethod> } };
  runtime: {
    /** Calls back on every event of that name; the result ends it. */
    EventsOn(name: string, callback: (...data: unknown[]) => void): () => void;
    /** Calls back with absolute paths when files are dropped on the window. */
    OnFileDrop(callback: (x: number, y: number, paths: string[]) => void, useDropTarget: boolean): void;
    OnFileDropOff(): void;
  };
}

declare global {
  interface Window {
    go?: Host['go'];
    runtime?: Host['runtime'];
  }
}

/** The host of this page, or null in a plain browser. */
export function findHost(): Host | null {
  const { go, runtime } = window;
  return go && runtime ? { go, runtime } : null;
}
