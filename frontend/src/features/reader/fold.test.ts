import { expect, test } from 'vitest';
import { fold, places, squeeze } from './fold';
import { wordSpans } from './overlay';

const found = (text: string, query: string) =>
  places(fold(text), fold(query).text.trim(), 100).map(({ start, end }) => text.slice(start, end));

test.each([
  ['Schlüssel und SCHLUSSEL', 'schlüssel', ['Schlüssel', 'SCHLUSSEL']],
  ['the eﬃcient oﬃce', 'office', ['oﬃce']],
  ['two\n  words', 'two words', ['two\n  words']],
  ['a hyphen-\nated word', 'hyphenated', ['hyphen-\nated']],
  ['well-known', 'well-known', ['well-known']],
  ['soft\u00adhyphen', 'softhyphen', ['soft\u00adhyphen']],
  ['𝒳 marks 👪', '👪', ['👪']],
  ['مِفْتَاح', 'مفتاح', ['مِفْتَاح']],
  ['aaaa', 'aa', ['aa', 'aa']],
  ['nothing', '', []],
])('in %j the search for %j finds the words themselves', (text, query, want) => {
  expect(found(text, query)).toEqual(want);
});

test('no more places are found than are asked for', () => {
  expect(places(fold('a'.repeat(100)), 'a', 7)).toHaveLength(7);
});

test('cited words are found on a page that sets blanks, hyphens and ligatures its own way', () => {
  const page = 'The pres-\nsure must not ex ceed 1.5  bar when the ﬁll-\ning valve is closed.';
  const needle = squeeze(fold('pressure must not exceed 1.5 bar when the filling valve')).text;
  const [options] = wordSpans(squeeze(fold(page)), needle);
  expect(options?.map(({ start, end }) => page.slice(start, end))).toEqual([
    'pres-\nsure must not ex ceed 1.5  bar when the ﬁll-\ning valve',
  ]);
});

test('words that go on over a page are found in halves, and too short ones not at all', () => {
  const page = squeeze(fold('and the last sentence of this page begins here but goes'));
  const needle = squeeze(fold('last sentence of this page begins here but goes on over the next one')).text;
  expect(wordSpans(page, needle).length).toBeGreaterThan(0);
  expect(wordSpans(page, 'twelveletters')).toEqual([]);
});
