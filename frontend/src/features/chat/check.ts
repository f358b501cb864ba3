// The verdict of the answer check, in words.
import type { Done, Issue } from '../../api';
import { m } from '../../paraglide/messages';
import { visibleControls } from '../../text/bidi';
import { number } from '../../text/number';

/** The word on the badge. */
export function checkWord(done: Done): string {
  switch (done.answer_check.status) {
    case 'supported':
      return m.check_supported();
    case 'flagged':
      return m.check_flagged();
    case 'refused':
      return m.check_refused();
    case 'quoted':
      return m.check_quoted();
    case 'withheld':
      return m.check_withheld();
    case 'unchecked':
      return m.check_unchecked();
  }
}

/** The sentence beside the badge. Has a model: tells why an answer is quoted. */
export function checkSentence(done: Done, hasAnswerModel: boolean): string {
  const { status, citations, values, issues } = done.answer_check;
  switch (status) {
    case 'supported': {
      const total = Math.max(done.citations.length, citations);
      const holds = m.check_citations_hold({ count: total, n: number(citations), of: number(total) });
      return values > 0 ? m.check_with_values({ holds, count: values, n: number(values) }) : holds;
    }
    case 'flagged':
      return issues[0] ? issueSentence(issues[0]) : '';
    case 'refused':
      return m.check_refused_sentence();
    case 'quoted':
      return hasAnswerModel ? m.check_quoted_sentence() : m.check_quoted_no_model();
    case 'withheld':
      return m.check_withheld_sentence();
    case 'unchecked':
      return m.check_unchecked_sentence();
  }
}

/** One finding as a sentence. */
export function issueSentence(issue: Issue): string {
  const text = visibleControls(issue.text);
  switch (issue.kind) {
    case 'citation':
      return m.issue_citation({ n: text.replace(/[[\]]/g, '') });
    case 'number':
      return m.issue_number({ text });
    case 'date':
      return m.issue_date({ text });
    case 'name':
      return m.issue_name({ text });
    case 'support':
      return m.issue_support({ text });
    case 'other_thing':
      return m.issue_other({ text, found: visibleControls(issue.found ?? '') });
    case 'quotation':
      return m.issue_quotation({ text });
    case 'history_only':
      return m.issue_history({ text });
    default:
      return text;
  }
}
