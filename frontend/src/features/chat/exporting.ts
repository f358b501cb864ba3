// A conversation or an answer as a text to take away: Markdown with its sources,
// or the stored values as JSON.
import type { ConversationDetail, Hit, StoredTurn } from '../../api';
import { m } from '../../paraglide/messages';
import { locatorText } from '../../text/locator';
import { instant, when } from '../../text/time';

export type ExportKind = 'markdown' | 'json';

/** A file's proposed name and its text. */
export function conversationFile(
  detail: ConversationDetail,
  kind: ExportKind,
): { name: string; text: string } {
  const title = detail.conversation.title || m.untitled();
  return kind === 'json'
    ? { name: `${title}.json`, text: `${JSON.stringify(detail, null, 2)}\n` }
    : { name: `${title}.md`, text: conversationMarkdown(detail) };
}

function conversationMarkdown({ conversation, turns }: ConversationDetail): string {
  return [`# ${inline(conversation.title || m.untitled())}`, ...turns.map(turnMarkdown)].join('\n\n') + '\n';
}

function turnMarkdown(turn: StoredTurn): string {
  const asked = instant(turn.created);
  const searched = turn.prepared.search_query ?? turn.question;
  return [
    `## ${inline(turn.question)}`,
    [asked ? when(asked) : '', m.export_searched({ query: inline(searched) })].filter(Boolean).join(' · '),
    turn.withheld
      ? turn.done.answer
      : answerMarkdown(turn.done.answer, turn.retrieval.hits, citedNumbers(turn)),
  ].join('\n\n');
}

const citedNumbers = (turn: StoredTurn) => new Set(turn.done.citations.map((c) => c.n));

/** An answer with a list of the passages that it cites. */
export function answerMarkdown(answer: string, hits: readonly Hit[], cited: ReadonlySet<number>): string {
  const sources = hits
    .flatMap((hit) => (hit.n !== null && cited.has(hit.n) ? [{ ...hit, n: hit.n }] : []))
    .sort((a, b) => a.n - b.n)
    .map((hit) => {
      const place = [hit.title || hit.path, locatorText(hit.locator)].filter(Boolean).join(', ');
      return `- [${hit.n}] ${inline(place)} (${inline(hit.path)})`;
    });
  return sources.length === 0 ? answer.trim() : `${answer.trim()}\n\n${m.sources()}\n\n${sources.join('\n')}`;
}

/** An answer without its citation markers. */
export function withoutCitations(answer: string): string {
  return answer.replace(/[ \u00a0]?\[\d+(?:\s*,\s*\d+)*\]/g, '');
}

/** One line in which nothing is taken for a mark of Markdown. */
function inline(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<>#|~]/g, '\\$&');
}
