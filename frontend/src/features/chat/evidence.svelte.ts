// The evidence panel: which turn it shows, which passage is current, and what
// is unfolded.
import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import type { Hit } from '../../api';
import type { Turn } from './turn.svelte';

export type EvidenceView = 'model' | 'original';

export class EvidenceState {
  turn = $state.raw<Turn | null>(null);
  /** The current citation number; null: the first passage is shown open. */
  current = $state<number | null>(null);
  /** Where in the answer it was pressed; null: chosen in the panel. */
  chip = $state<string | null>(null);
  /** The citation under the pointer. */
  hovered = $state<number | null>(null);
  view = $state<EvidenceView>('model');
  consideredOpen = $state(false);
  /** Chunks whose whole text is unfolded. */
  readonly unfolded = new SvelteSet<number>();

  /** Passages that were pinned or let go here, by chunk. */
  readonly pins = new SvelteMap<number, boolean>();

  /** Classes that were corrected here, by chunk. */
  readonly classes = new SvelteMap<number, string>();

  /** Passages in the prompt, in citation order. */
  packed = $derived(this.turn?.packed ?? []);

  /** What was found and left out, by why. */
  considered = $derived.by(() => {
    const counts = {
      floor: 0,
      budget: 0,
      duplicates: 0,
      restricted: this.turn?.retrieval?.restricted_count ?? 0,
    };
    for (const hit of this.turn?.retrieval?.hits ?? []) {
      if (hit.packing === 'floor') counts.floor++;
      else if (hit.packing === 'budget') counts.budget++;
      else if (hit.packing === 'duplicate_of') counts.duplicates++;
    }
    return { ...counts, total: counts.floor + counts.budget + counts.duplicates + counts.restricted };
  });

  /** Hits that were left out, best first. */
  left = $derived((this.turn?.retrieval?.hits ?? []).filter((hit) => hit.n === null));

  /** Whether any hit was judged by a rerank model. */
  reranked = $derived((this.turn?.retrieval?.hits ?? []).some((hit) => hit.trace.rerank));

  /** Citation numbers that the answer uses. */
  cited = $derived(new Set((this.turn?.done?.citations ?? []).map((c) => c.n)));

  /** Shows a turn's evidence, from its beginning unless it is the turn already shown. */
  show(turn: Turn | null, current: number | null = null, chip: string | null = null): void {
    if (this.turn !== turn) {
      this.turn = turn;
      this.unfolded.clear();
      this.consideredOpen = false;
      this.hovered = null;
      this.current = null;
      this.chip = null;
    }
    if (current !== null) this.select(current, chip);
  }

  /** Makes a passage the current one. */
  select(n: number | null, chip: string | null = null): void {
    this.current = n;
    this.chip = chip;
  }

  /** Whether a passage is drawn open. */
  isOpen(hit: Hit): boolean {
    return hit.n === (this.current ?? this.packed[0]?.n) || this.unfolded.has(hit.chunk);
  }

  /** Whether a passage is pinned now; the turn tells how it was then. */
  isPinned(hit: Pick<Hit, 'chunk' | 'pinned'>): boolean {
    return this.pins.get(hit.chunk) ?? hit.pinned;
  }

  /** The class of a passage now; the turn tells what it was then. */
  classOf(hit: Pick<Hit, 'chunk' | 'class'>): string {
    return this.classes.get(hit.chunk) ?? hit.class;
  }

  toggle(hit: Hit): void {
    if (this.unfolded.has(hit.chunk)) this.unfolded.delete(hit.chunk);
    else this.unfolded.add(hit.chunk);
  }

  /** The parts of a passage's text that the answer cites, in code points. */
  spans(hit: Hit): { start: number; end: number }[] {
    return (this.turn?.done?.citations ?? []).filter((c) => c.n === hit.n && c.end > c.start);
  }
}
