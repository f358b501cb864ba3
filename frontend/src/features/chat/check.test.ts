import { expect, test } from 'vitest';
import { hit, leaseTurns } from '../../../e2e/mock/turns';
import type { AnswerCheck, Done } from '../../api';
import { checkSentence, checkWord, issueSentence } from './check';
import { legs } from './legs';
import { passagePieces } from './passage';
import { passageName } from './words';

const plain = (text: string) => text.replaceAll('\u00a0', ' ');

function done(check: Partial<AnswerCheck>): Done {
  const stored = leaseTurns[1];
  if (!stored) throw new Error('no turn');
  return { ...stored.done, answer_check: { ...stored.done.answer_check, ...check } };
}

test.each([
  [{ status: 'supported' }, 'Supported', '4 of 4 citations hold, 12 numbers and dates found in the evidence'],
  [
    { status: 'flagged', issues: [{ kind: 'number', text: '18 months', start: 0, end: 9 }] },
    'Flagged',
    '1 number is not in the evidence: 18 months.',
  ],
  [{ status: 'refused' }, 'No answer found', 'The documents do not answer this.'],
  [{ status: 'quoted' }, 'Quoted', 'No answer model is loaded; these are the best sentences found.'],
] as [Partial<AnswerCheck>, string, string][])('%o', (check, word, sentence) => {
  expect(checkWord(done(check))).toBe(word);
  expect(plain(checkSentence(done(check), false))).toBe(sentence);
});

test('a removed citation is named by its number', () => {
  expect(issueSentence({ kind: 'support', text: '\u202egnp.exe', start: 0, end: 8 })).toBe(
    'The cited passage does not say this: ⟨U+202E⟩gnp.exe',
  );
  expect(issueSentence({ kind: 'citation', text: '[5]', start: 0, end: 3 })).toBe(
    'Citation 5 names no passage and was removed.',
  );
});

test('a passage about another thing of the kind is named with it', () => {
  expect(
    issueSentence({ kind: 'other_thing', text: 'Mill House', found: 'Quay House', start: 0, end: 10 }),
  ).toBe('The cited passage names “Quay House”, not “Mill House”.');
});

test('a leg that did not find the passage is none, never zero', () => {
  const found = hit({
    n: 4,
    chunk: 1,
    text: '',
    trace: { bm25: null, dense: { rank: 3, score: 0 }, fused: null, rerank: null },
  });
  expect(legs(found.trace, true).map((leg) => leg.leg)).toEqual([null, { rank: 3, score: 0 }, null, null]);
  expect(legs(found.trace, false)).toHaveLength(3);
});

test('cited words are marked in the passage, as the model saw it and in the original', () => {
  const text = 'Before. The cited words. After.';
  const passage = hit({ n: 1, chunk: 1, text, rendered: 'The cited words…', strategy: 'headline' });
  const spans = [{ start: 8, end: 23 }];
  expect(passagePieces(passage, 'original', spans).find((p) => p.marked)?.text).toBe('The cited words');
  expect(passagePieces(passage, 'model', spans)).toEqual([
    { text: 'The cited words', marked: true },
    { text: '…', marked: false },
  ]);
});

test('a passage is called by its number, class, form and citations', () => {
  const passage = hit({ n: 1, chunk: 1, text: 'x', pinned: true, rendered_tokens: 412 });
  expect(plain(passageName(passage, 2))).toBe('Passage 1, pinned, fact, verbatim, 412 tokens, cited 2 times');
});
