// The calls of a research in words.
import type { Prepared, ResearchEnd, Step } from '../../api';
import { m } from '../../paraglide/messages';
import { number } from '../../text/number';

interface Arguments {
  query?: string;
  question?: string;
  filters?: { field: string; op: string; value: string[] }[];
}

/** What a call did, on one line. */
export function stepSentence(step: Step): string {
  const call = callText(step);
  if (step.repeated_of !== null) return m.step_repeated({ call, n: number(step.repeated_of) });
  if (step.tool !== 'search') return call;
  return m.step_found({ call, count: step.hits, n: number(step.hits) });
}

function callText(step: Step): string {
  const { query = '', question = '', filters = [] } = (step.arguments ?? {}) as Arguments;
  switch (step.tool) {
    case 'search':
      return filters.length > 0
        ? m.step_search_filtered({ query, filters: filters.map(filterText).join(', ') })
        : m.step_search({ query });
    case 'open_passage':
      return m.step_open();
    case 'list_documents':
      return m.step_list();
    case 'ask_user':
      return m.step_ask({ question });
    default:
      return step.tool;
  }
}

function filterText(filter: { field: string; op: string; value: string[] }): string {
  const sign = filter.op === 'gte' ? ' ≥ ' : filter.op === 'lte' ? ' ≤ ' : ' = ';
  return filter.field + sign + filter.value.join(', ');
}

/** Why the research ended; empty while it runs. */
export function endSentence(prepared: Prepared | null): string {
  return prepared?.ended ? endings[prepared.ended]() : '';
}

const endings: Record<ResearchEnd, () => string> = {
  enough: m.research_enough,
  patience: m.research_patience,
  max_rounds: m.research_max_rounds,
  asked: m.research_asked,
  unreadable: m.research_unreadable,
  full: m.research_full,
  model_failed: m.research_model_failed,
};
