import { describe, expect, test } from 'vitest';
import { prepared } from '../../../e2e/mock/turns';
import type { Prepared, RewriteStatus } from '../../api';
import { queryRuns, reasonText, searchedForm, searchedSentence, searchedTexts } from './searched';

const plain = (text: string) => text.replaceAll('\u00a0', ' ');
const make = (part: Partial<Prepared>) => prepared({ original_query: 'And who signed it?', ...part });

describe('P-60: every status has its form and its sentence', () => {
  const rows: [RewriteStatus, string, string, Partial<Prepared>?][] = [
    ['no_history', 'line', 'Searched your words. First question, no earlier messages.'],
    [
      'verbatim_engine',
      'line',
      'Searched your words. The engine simple does not rewrite.',
      { engine: 'simple' },
    ],
    ['disabled', 'line', 'Searched your words. Rewriting is off in Settings.'],
    ['gated', 'line', 'Searched your words. The question stands on its own.'],
    ['rewritten', 'block', 'condense_context, rewritten in 286 ms', { latency_ms: 286 }],
    ['unchanged', 'line', 'The rewrite is the same as your words.'],
    [
      'expanded',
      'block',
      'expand, added 3 words from earlier questions',
      { engine: 'expand', added_words: ['notice', 'period', 'lease'] },
    ],
    [
      'blended',
      'block',
      'blend, 70 % question, 30 % conversation (2 messages)',
      { engine: 'blend', alpha: 0.7, history_messages_used: 2 },
    ],
    [
      'researched',
      'block',
      'research, 4 searches in 3 rounds',
      { engine: 'research', search_queries: ['a', 'b', 'c', 'd'], model_calls: 3 },
    ],
    ['user_edited', 'block', 'Searched the text you edited.'],
    ['user_words', 'line', 'Searched your words, as you chose.'],
    [
      'failed_expanded',
      'failed',
      'Searched your words plus “notice period” from earlier questions.',
      { added_words: ['notice', 'period'], reason: 'timeout' },
    ],
    [
      'failed_verbatim',
      'failed',
      'Searched your words instead. They may be too few to find the right passage.',
      { reason: 'timeout' },
    ],
    ['failed_stopped', 'stopped', 'No answer: the rewrite failed (timeout).', { reason: 'timeout' }],
  ];
  test.each(rows)('%s', (status, form, sentence, part = {}) => {
    const value = make({ status, ...part });
    expect(searchedForm(value)).toBe(form);
    expect(plain(searchedSentence(value))).toBe(sentence);
  });
});

test('P-16: an unchanged rewrite has no Searched for block', () => {
  expect(searchedForm(make({ status: 'unchanged' }))).toBe('line');
});

test.each([
  ['timeout', 'timeout after 2.0 s', { latency_ms: 2000 }],
  ['timeout', 'timeout', {}],
  ['call_error', 'the model did not respond', {}],
  [
    'http_error',
    'the model server answered 502',
    { detail: 'The server of the model answered with status 502.' },
  ],
  ['bad_body', 'the reply could not be read', {}],
  ['missing_field', 'the reply had no query', {}],
  ['empty_query', 'the reply was empty', {}],
  ['too_long', 'the rewrite was too long', {}],
  ['guard_rejected', 'the rewrite dropped “65”', { detail: 'The rewrite dropped “65”.' }],
  ['context_overflow', 'the conversation did not fit', {}],
  ['embed_error', 'the embedding failed', {}],
  ['dimension_mismatch', 'the embedding model has changed', {}],
  ['cancelled', 'you stopped it', {}],
])('reason %s reads: %s', (reason, expected, part: Partial<Prepared>) => {
  expect(plain(reasonText(reason, make({ reason, latency_ms: 0, ...part })))).toBe(expected);
});

test('a comparison searches two texts', () => {
  expect(searchedTexts(make({ search_queries: ['a', 'b'] }))).toEqual(['a', 'b']);
  expect(searchedTexts(make({ search_queries: [] }))).toEqual(['And who signed it?']);
});

describe('words from the conversation are underlined', () => {
  const borrowed = (query: string, added: string[]) =>
    queryRuns(query, added)
      .filter((run) => run.borrowed)
      .map((run) => run.text);
  const whole = (query: string, added: string[]) =>
    queryRuns(query, added)
      .map((run) => run.text)
      .join('');

  test('a phrase is one run, with the small words inside it', () => {
    const query = 'How long is the landlord’s notice period for an open-ended lease for tenants over 65?';
    const added = ["landlord's", 'notice', 'period', 'open-ended', 'lease'];
    expect(borrowed(query, added)).toEqual(['landlord’s notice period for an open-ended lease']);
    expect(whole(query, added)).toBe(query);
  });
  test('words far apart are runs of their own', () => {
    expect(borrowed('Rent of the flat that we saw in March', ['rent', 'March'])).toEqual(['Rent', 'March']);
  });
  test('the mark at the end is not underlined', () => {
    expect(queryRuns('Who signed the lease?', ['lease']).at(-1)).toEqual({ text: '?', borrowed: false });
  });
  test('nothing was added', () => {
    expect(queryRuns('Who signed?', [])).toEqual([{ text: 'Who signed?', borrowed: false }]);
  });
});
