import { afterEach, describe, expect, test } from 'vitest';
import { visibleControls } from './bidi';
import { codePointSlice, markSpans } from './codepoints';
import { baseName, cutMiddle, folderOf, shortPath } from './cut';
import { language, usableLocale } from './locale.svelte';
import { locatorText } from './locator';
import { bytes, duration, limit, number, ordinal, remaining } from './number';
import { daysBetween, instant, when } from './time';

const plain = (text: string) => text.replaceAll('\u00a0', ' ');
afterEach(() => {
  language.choice = 'system';
});

describe('locale', () => {
  test('the locale C, in which Intl throws, falls back', () => {
    expect(usableLocale(['C'])).toBe('en');
    expect(usableLocale(['C.UTF-8', 'c', ''])).toBe('en');
    expect(usableLocale([])).toBe('en');
  });
  test('the first usable tag wins', () => {
    expect(usableLocale(['C', 'it-CH', 'en-US'])).toBe('it-CH');
  });
  test('the language switches while running', () => {
    language.choice = 'it';
    expect(plain(remaining(130))).toBe('circa 2 min rimanenti');
    expect(number(1204.5, 1)).toBe('1204,5');
    language.choice = 'en';
    expect(plain(remaining(130))).toBe('about 2 min left');
  });
});

test.each([
  [0, '0 ms'],
  [286.4, '286 ms'],
  [999.6, '1.00 s'],
  [4821, '4.82 s'],
  [30_000, '30.0 s'],
  [185_000, '3 min 5 s'],
])('duration of %d ms is %s', (ms, expected) => {
  language.choice = 'en';
  expect(plain(duration(ms))).toBe(expected);
});

test('other figures', () => {
  language.choice = 'en';
  expect(plain(limit(2000))).toBe('2.0 s');
  expect(plain(remaining(9))).toBe('9 s left');
  expect(plain(bytes(38.2e6))).toBe('38.2 MB');
  expect(plain(bytes(4.68e9))).toBe('4.68 GB');
  expect([1, 2, 3, 4, 11, 21].map(ordinal)).toEqual(['1st', '2nd', '3rd', '4th', '11th', '21st']);
});

test('moments in a person’s words', () => {
  language.choice = 'en';
  const now = new Date(2026, 2, 14, 12, 0);
  expect(when(new Date(2026, 2, 14, 9, 14), now)).toMatch(/^today 0?9:14/);
  expect(when(new Date(2026, 2, 13, 17, 40), now)).toMatch(/^yesterday /);
  expect(when(new Date(2026, 1, 2), now)).toMatch(/February/);
  expect(daysBetween(new Date(2026, 2, 13, 23, 59), new Date(2026, 2, 14, 0, 1))).toBe(1);
  expect(instant('0001-01-01T00:00:00Z')).toBeNull();
  expect(instant('not a date')).toBeNull();
  expect(instant(0)).toBeNull();
});

test('offsets count code points', () => {
  const text = 'a𝒳b é cd';
  expect(codePointSlice(text, 1, 3)).toBe('𝒳b');
  expect(markSpans(text, [{ start: 1, end: 2 }])).toEqual([
    { text: 'a', marked: false },
    { text: '𝒳', marked: true },
    { text: 'b é cd', marked: false },
  ]);
  expect(
    markSpans('abcdef', [
      { start: 1, end: 3 },
      { start: 2, end: 4 },
      { start: 9, end: 12 },
    ]),
  ).toEqual([
    { text: 'a', marked: false },
    { text: 'bcd', marked: true },
    { text: 'ef', marked: false },
  ]);
});

test('a long name is cut in its middle and keeps 12 letters before the extension', () => {
  const name = 'Commissioning record heat pump plant room block B with annexes A to F.pdf';
  const fits = (most: number) => (text: string) => text.length <= most;
  expect(cutMiddle(name, fits(100))).toBe(name);
  expect(cutMiddle(name, fits(40))).toBe('Commissioning record he…nexes A to F.pdf');
  expect(cutMiddle(name, fits(1))).toBe('…nexes A to F.pdf');
});

test('paths', () => {
  expect(baseName('/a/b/c.pdf')).toBe('c.pdf');
  expect(baseName('C:\\x\\y.txt')).toBe('y.txt');
  expect(folderOf('/a/b/c.pdf')).toBe('/a/b');
  expect(shortPath('/home/ada/Tenancy/Leases')).toBe('Tenancy/Leases');
  expect(visibleControls('a\u202eb')).toBe('a⟨U+202E⟩b');
});

test.each([
  [{ page: 84 }, 'page 84'],
  [{ page: 84, page_label: '72' }, 'page 84, printed 72'],
  [{ page: 3, page_to: 5 }, 'pages 3 to 5'],
  [{ slide: 2 }, 'slide 2'],
  [{ sheet: 'Rents', cell: 'B4' }, 'sheet Rents, B4'],
  [{ line_from: 220, line_to: 236 }, 'lines 220 to 236'],
  [{ section: '7.3' }, '7.3'],
  [{ cell_index: 4 }, 'cell 4'],
  [{ pointer: '/a/b' }, '/a/b'],
  [{}, ''],
])('%o is %s', (locator, expected) => {
  language.choice = 'en';
  expect(plain(locatorText(locator))).toBe(expected);
});
