// What a screen reader is told of a turn while it runs: sentences, not tokens.
import { m } from '../../paraglide/messages';
import { number } from '../../text/number';
import { checkWord } from './check';
import { reasonText, searchedForm } from './searched';
import type { Turn } from './turn.svelte';

/** Says what has changed of a turn since it was in the phase before. */
export function tellStep(turn: Turn, before: Turn['phase'], announce: (sentence: string) => void): void {
  const now = turn.phase;
  if (now === before && now !== 'done') return;
  if (turn.prepared && before === 'preparing' && searchedForm(turn.prepared) === 'failed') {
    announce(m.failed_title({ reason: reasonText(turn.prepared.reason, turn.prepared) }));
  }
  if (now === 'answering') announce(m.live_answer_started());
  if (now === 'stopped') announce(m.live_stopped());
  if (turn.done) {
    const count = turn.done.citations.length;
    announce(m.live_answer_finished({ verdict: checkWord(turn.done), count, n: number(count) }));
  }
}
