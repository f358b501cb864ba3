// Direction of text. Documents and models may hold control characters that
// reorder what follows; they are shown instead of obeyed.

// Embeddings and overrides. Isolates (2066 to 2069) and marks (200E, 200F)
// cannot reach beyond the block they stand in and are kept.
const reordering = /[\u202a-\u202e]/g;

/** The text with reordering controls spelled out, such as "⟨U+202E⟩". */
export function visibleControls(text: string): string {
  return text.replace(reordering, (c) => `⟨U+${c.codePointAt(0)?.toString(16).toUpperCase()}⟩`);
}
