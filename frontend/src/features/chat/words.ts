// Names of strategies, and how a passage is called by a screen reader.
import type { Hit } from '../../api';
import { m } from '../../paraglide/messages';
import { className } from '../../text/class';
import { number } from '../../text/number';

/** "verbatim", "headline, 214 to 38 tokens"; the tokens before only where they were counted. */
export function strategyName(hit: Hit, long: boolean): string {
  const name =
    hit.strategy === 'headline'
      ? m.strategy_headline()
      : hit.strategy === 'stub'
        ? m.strategy_stub()
        : m.strategy_verbatim();
  const to = hit.rendered_tokens;
  if (hit.strategy === 'verbatim' || to === null) {
    return long && to !== null ? m.strategy_tokens({ name, n: number(to) }) : name;
  }
  return hit.text_tokens
    ? m.strategy_from_to({ name, from: number(hit.text_tokens), to: number(to) })
    : m.strategy_tokens({ name, n: number(to) });
}

/** "Passage 1, pinned, fact, verbatim, 412 tokens, cited twice". */
export function passageName(hit: Hit, citations: number): string {
  return [
    hit.n === null ? m.passage_left_out() : m.passage_number({ n: number(hit.n) }),
    hit.pinned ? m.pinned() : '',
    className(hit.class),
    hit.strategy ? strategyName(hit, true) : '',
    citations > 0 ? m.cited_times({ count: citations, n: number(citations) }) : '',
  ]
    .filter(Boolean)
    .join(', ');
}
