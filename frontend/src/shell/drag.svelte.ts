// Files dragged over the window. The host says what was dropped; the page only
// shows that something would be.

export class DragState {
  /** How many things are dragged; null: none. 0: not known. */
  over = $state.raw<{ count: number } | null>(null);
  #depth = 0;

  enter = (event: DragEvent): void => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    this.#depth++;
    this.over = { count: event.dataTransfer?.items.length ?? 0 };
  };

  move = (event: DragEvent): void => {
    if (carriesFiles(event)) event.preventDefault();
  };

  leave = (event: DragEvent): void => {
    if (!carriesFiles(event)) return;
    this.#depth = Math.max(0, this.#depth - 1);
    if (this.#depth === 0) this.over = null;
  };

  end = (event?: DragEvent): void => {
    if (event && carriesFiles(event)) event.preventDefault();
    this.#depth = 0;
    this.over = null;
  };
}

function carriesFiles(event: DragEvent): boolean {
  const types = event.dataTransfer?.types ?? [];
  return types.includes('Files') || types.includes('text/uri-list');
}

/**
 * Tells a dropped model, and archives of a pack of libraries, from files for the
 * library; of several models the first counts.
 */
export function sortDropped(paths: readonly string[]): {
  model: string | null;
  packs: string[];
  files: string[];
} {
  const isModel = (path: string) => /\.gguf$/i.test(path);
  const isPack = (path: string) => /\.(whl|tgz)$/i.test(path);
  return {
    model: paths.find(isModel) ?? null,
    packs: paths.filter(isPack),
    files: paths.filter((path) => !isModel(path) && !isPack(path)),
  };
}
