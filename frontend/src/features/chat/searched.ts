// What was searched, in words: the sentence for every status and reason, and
// which words of the search text came from the conversation.
import type { Prepared } from '../../api';
import { m } from '../../paraglide/messages';
import { reasonWord } from '../../text/outcome';
import { duration, limit, number } from '../../text/number';

/** How the search text is shown: a line of meta text, a block, or a block that tells of a failure. */
export type SearchedForm = 'line' | 'block' | 'failed' | 'stopped';

export function searchedForm(prepared: Prepared): SearchedForm {
  switch (prepared.status) {
    case 'rewritten':
    case 'expanded':
    case 'blended':
    case 'researched':
    case 'user_edited':
      return 'block';
    case 'failed_expanded':
    case 'failed_verbatim':
      return 'failed';
    case 'failed_stopped':
      return 'stopped';
    default:
      return 'line';
  }
}

/** Why a rewrite failed, to follow a colon. */
export function reasonText(
  reason: string | null,
  prepared?: Pick<Prepared, 'latency_ms' | 'detail'>,
): string {
  switch (reason) {
    case 'timeout':
      return prepared && prepared.latency_ms > 0
        ? m.reason_timeout_after({ time: limit(prepared.latency_ms) })
        : m.reason_timeout();
    case 'http_error':
      return httpStatus(prepared?.detail)
        ? m.reason_http_error({ status: httpStatus(prepared?.detail) })
        : m.reason_http();
    case 'guard_rejected':
      return prepared?.detail ? clause(prepared.detail) : m.reason_guard_plain();
    default:
      return reasonWord(reason);
  }
}

function httpStatus(detail: string | null | undefined): string {
  return /\b[1-5]\d\d\b/.exec(detail ?? '')?.[0] ?? '';
}

/** A sentence as it stands after a colon. */
function clause(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '');
}

/** The sentence under or instead of the search text. */
export function searchedSentence(prepared: Prepared): string {
  const { engine, latency_ms } = prepared;
  switch (prepared.status) {
    case 'no_history':
      return m.searched_no_history();
    case 'verbatim_engine':
      return m.searched_verbatim_engine({ engine });
    case 'disabled':
      return m.searched_disabled();
    case 'gated':
      return m.searched_gated();
    case 'rewritten':
      return m.searched_rewritten({ engine, time: duration(latency_ms) });
    case 'unchanged':
      return m.searched_unchanged();
    case 'expanded':
      return m.searched_expanded({
        engine,
        count: prepared.added_words.length,
        n: number(prepared.added_words.length),
      });
    case 'blended': {
      const question = Math.round((prepared.alpha ?? 1) * 100);
      return m.searched_blended({
        engine,
        question: number(question),
        rest: number(100 - question),
        count: prepared.history_messages_used,
        n: number(prepared.history_messages_used),
      });
    }
    case 'researched':
      return m.searched_researched({
        engine,
        searches: prepared.search_queries.length,
        n: number(prepared.search_queries.length),
        rounds: number(prepared.model_calls),
      });
    case 'user_edited':
      return m.searched_user_edited();
    case 'user_words':
      return m.searched_user_words();
    case 'failed_expanded':
      return m.searched_failed_expanded({ words: prepared.added_words.join(' ') });
    case 'failed_verbatim':
      return m.searched_failed_verbatim();
    case 'failed_stopped':
      return m.stopped_rewrite_failed({ reason: reasonText(prepared.reason) });
  }
}

/** The texts that were searched, at least one. */
export function searchedTexts(prepared: Prepared): string[] {
  if (prepared.search_queries.length > 0) return prepared.search_queries;
  return [prepared.search_query ?? prepared.original_query];
}

/** A run of the search text; borrowed runs came from the conversation. */
export interface QueryRun {
  text: string;
  borrowed: boolean;
}

// Function words between two borrowed words belong to the borrowed phrase, when
// there are at most this many of them.
const longestGap = 2;

/** Splits a search text into runs of the person's own words and borrowed ones. */
export function queryRuns(query: string, addedWords: readonly string[]): QueryRun[] {
  const added = new Set(
    addedWords
      .flatMap((words) => words.split(/\s+/))
      .map(bare)
      .filter(Boolean),
  );
  if (added.size === 0) return [{ text: query, borrowed: false }];
  const parts = query.split(/(\s+)/);
  const words = parts.map((part) => bare(part));
  const flags = words.map((word) => word !== '' && added.has(word));
  let last = -1;
  flags.forEach((flag, i) => {
    if (!flag) return;
    const between = words.slice(last + 1, i).filter((word) => word !== '').length;
    if (last >= 0 && between <= longestGap) flags.fill(true, last, i);
    last = i;
  });
  const runs: QueryRun[] = [];
  parts.forEach((part, i) => {
    if (part === '') return;
    const flag = flags[i] ?? false;
    const run = runs.at(-1);
    if (run && run.borrowed === flag) run.text += part;
    else runs.push({ text: part, borrowed: flag });
  });
  // The mark that ends the query belongs to the person, not to the phrase.
  return runs.flatMap((run) => {
    const mark = run.borrowed ? /^(.*?)([?!.,;:…。？！]+)$/su.exec(run.text) : null;
    return mark?.[1] && mark[2]
      ? [
          { text: mark[1], borrowed: true },
          { text: mark[2], borrowed: false },
        ]
      : [run];
  });
}

function bare(word: string): string {
  return word
    .toLowerCase()
    .replace(/[’‘]/g, "'")
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
}
