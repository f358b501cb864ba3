// What a person corrects about a passage: whether it is pinned for the questions
// to come, and how long it is taken to hold.
import { type Backend, type Hit, toApiError } from '../../api';
import { m } from '../../paraglide/messages';
import { className } from '../../text/class';
import type { EvidenceState } from './evidence.svelte';

export interface HoldingSurroundings {
  backend: Pick<Backend, 'pin' | 'setPassageClass'>;
  evidence: EvidenceState;
  announce: (sentence: string) => void;
  /** Shows why something did not work. */
  fail: (sentence: string) => void;
}

export class Holding {
  #around: HoldingSurroundings;

  constructor(around: HoldingSurroundings) {
    this.#around = around;
  }

  classOf(hit: Pick<Hit, 'chunk' | 'class'>): string {
    return this.#around.evidence.classOf(hit);
  }

  isPinned(hit: Pick<Hit, 'chunk' | 'pinned'>): boolean {
    return this.#around.evidence.isPinned(hit);
  }

  /** Pins a passage for the questions to come, or lets it go. */
  async pin(hit: Pick<Hit, 'chunk' | 'pinned'>): Promise<void> {
    const { backend, evidence, announce } = this.#around;
    const pinned = !evidence.isPinned(hit);
    await this.#try(async () => {
      await backend.pin(hit.chunk, pinned);
      evidence.pins.set(hit.chunk, pinned);
      announce(pinned ? m.live_pinned() : m.live_unpinned());
    });
  }

  /** Corrects how long a passage is taken to hold. */
  async classify(hit: Pick<Hit, 'chunk'>, name: string): Promise<void> {
    const { backend, evidence, announce } = this.#around;
    await this.#try(async () => {
      await backend.setPassageClass(hit.chunk, name);
      evidence.classes.set(hit.chunk, name);
      announce(m.live_classified({ name: className(name) }));
    });
  }

  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (cause) {
      this.#around.fail(toApiError(cause).sentence);
    }
  }
}
