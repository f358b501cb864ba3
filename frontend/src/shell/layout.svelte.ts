// The measures of the window: which columns there are and how wide. Sizes are
// kept for the next start.
import { recall, remember } from '../ui/memory';

export type View = 'chat' | 'library' | 'models' | 'lab' | 'settings';

export const views: readonly View[] = ['chat', 'library', 'models', 'lab', 'settings'];

export class Layout {
  view = $state<View>('chat');
  width = $state(1280);
  height = $state(832);
  sidebar = $state(size('sidebar', 240, 200, 320));
  evidence = $state(size('evidence', 372, 320, 520));
  /** What the person chose; null: the width decides. */
  #sidebarChoice = $state<boolean | null>(null);
  #evidenceChoice = $state<boolean | null>(null);
  readerOpen = $state(false);

  /** The sidebar is the rail of icons. */
  rail = $derived(
    this.readerOpen || (this.#sidebarChoice === null ? this.width < 1200 : !this.#sidebarChoice),
  );
  /** The evidence lies over the conversation. */
  drawer = $derived(this.width < 1000);
  evidenceOpen = $derived(this.#evidenceChoice ?? !this.drawer);
  low = $derived(this.height < 520);

  toggleSidebar(): void {
    this.#sidebarChoice = this.rail;
  }

  showEvidence(open: boolean): void {
    this.#evidenceChoice = open;
  }

  /** The evidence as the view of a chat takes it. */
  evidencePane = $derived({
    width: this.evidence,
    open: this.evidenceOpen,
    drawer: this.drawer,
    ontoggle: (open: boolean) => this.showEvidence(open),
    onresize: (width: number) => this.setEvidence(width),
  });

  showReader(open: boolean): void {
    this.readerOpen = open;
  }

  /** The window was resized. Crossing a limit forgets what was chosen on its other side. */
  resize(width: number, height: number): void {
    if (width < 1200 !== this.width < 1200) this.#sidebarChoice = null;
    if (width < 1000 !== this.width < 1000) this.#evidenceChoice = null;
    this.width = width;
    this.height = height;
  }

  setSidebar(width: number): void {
    this.sidebar = width;
    remember('sidebar', String(width));
  }

  setEvidence(width: number): void {
    this.evidence = width;
    remember('evidence', String(width));
  }
}

function size(key: string, standard: number, min: number, max: number): number {
  const kept = Number(recall(key));
  return kept >= min && kept <= max ? kept : standard;
}
