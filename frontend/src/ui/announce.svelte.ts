// What a screen reader is told. Sentences, never tokens.

export class Announcer {
  polite = $state('');
  urgent = $state('');

  /** Says a sentence; a sentence said twice in a row is heard twice. */
  say = (sentence: string, urgent = false): void => {
    const now = urgent ? this.urgent : this.polite;
    const next = sentence === now ? `${sentence}\u00a0` : sentence;
    if (urgent) this.urgent = next;
    else this.polite = next;
  };
}
