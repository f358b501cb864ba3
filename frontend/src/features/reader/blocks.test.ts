import { expect, test } from 'vitest';
import type { Locator, TextPart } from '../../api';
import { type Block, blocks, columnName } from './blocks';
import type { Span } from './fold';

const part = (text: string, words: string, locator: Locator, heading: string | null = null): TextPart => {
  const start = text.indexOf(words);
  return {
    start: [...text.slice(0, start)].length,
    length: [...words].length,
    content_hash: '',
    heading,
    locator,
  };
};
const words = (text: string, block: { start: number; end: number } | undefined) =>
  block ? text.slice(block.start, block.end) : '';
const kinds = (list: readonly Block[]) => list.map((block) => block.kind);

test('a sheet is a table with the numbers of its rows and the letters of its columns', () => {
  const rows = 'House | Since | Rent\nQuay House | 2019-04-01 | 810\nLinden House |  | 795';
  const text = `Rents\n\n${rows}`;
  const list = blocks(text, 'xlsx', [part(text, rows, { sheet: 'Rents', cell: 'A3:C5' }, 'Rents')]);
  expect(kinds(list)).toEqual(['heading', 'table']);
  const table = list[1];
  if (table?.kind !== 'table') throw new Error('no table');
  expect([table.lettered, table.columns, table.head?.number]).toEqual([true, 3, 3]);
  expect(table.rows.map((row) => [row.number, row.cells.map((cell) => words(text, cell))])).toEqual([
    [4, ['Quay House', '2019-04-01', '810']],
    [5, ['Linden House', '', '795']],
  ]);
});

test('pieces of one sheet are one table, up to what a page can show', () => {
  const piece = (from: number) => Array.from({ length: 20 }, (_, i) => `a${from + i} | ${i}`).join('\n');
  const text = ['h | g', ...Array.from({ length: 11 }, (_, i) => piece(i * 20))].join('\n\n');
  const list = blocks(text, 'csv', []);
  expect(kinds(list)).toEqual(['table', 'table', 'table']);
  expect(list.every((block) => block.kind === 'table' && block.rows.length <= 100)).toBe(true);
});

test('rows that left out empty ones are not numbered wrongly', () => {
  const rows = 'a | b\nc | d';
  const list = blocks(rows, 'csv', [part(rows, rows, { line_from: 1, line_to: 9 })]);
  expect(list[0]?.kind === 'table' && list[0].rows.map((row) => row.number)).toEqual([null]);
});

test('a table of a text document is told from a sentence with a bar in it', () => {
  const text = 'Either a | b\n\nName | Age\nAda | 36\n\nA line\nanother | line\nand a third';
  expect(kinds(blocks(text, 'docx', []))).toEqual(['paragraph', 'table', 'paragraph']);
});

test('headings stand out, and a page begins with its number', () => {
  const text = '𝒳 Rules\n\nOne.\n\nTwo.';
  const list = blocks(text, 'pdf', [
    part(text, '𝒳 Rules\n\nOne.', { page: 3, page_label: 'iii' }, '𝒳 Rules'),
    part(text, 'Two.', { page: 4 }, '𝒳 Rules'),
  ]);
  expect(kinds(list)).toEqual(['place', 'heading', 'paragraph', 'place', 'paragraph']);
  expect(list[3]).toMatchObject({ locator: { page: 4 } });
  expect(words(text, list[4])).toBe('Two.');
});

test('a message has its head as fields, and each attachment its place', () => {
  const text =
    'Keys\n\nFrom: Ada <ada@example.org>\nTo: Ben\nDate: Mon, 2 March 2026, 09:00\n\nHello: there.\n\nThe list.';
  const list = blocks(text, 'email', [
    part(text, text.slice(0, text.indexOf('The')).trim(), { message: '1' }, 'Keys'),
    part(text, 'The list.', { message: '1', part: '1' }, 'Keys'),
  ]);
  expect(kinds(list)).toEqual(['place', 'heading', 'fields', 'paragraph', 'place', 'paragraph']);
  const fields = list[2];
  if (fields?.kind !== 'fields') throw new Error('no fields');
  expect(fields.rows.map(({ name, value }) => [words(text, name), words(text, value)])).toEqual([
    ['From', 'Ada <ada@example.org>'],
    ['To', 'Ben'],
    ['Date', 'Mon, 2 March 2026, 09:00'],
  ]);
});

test('code has the numbers of its lines, a notebook those within a cell', () => {
  const code = 'func a() {\n\treturn\n}\n\nfunc b() {}';
  const list = blocks(code, 'code', [part(code, code, { line_from: 10, line_to: 14 })]);
  const numbers = (some: readonly Block[]) =>
    some.flatMap((block) => (block.kind === 'code' ? block.lines.map((line) => line.number) : []));
  expect(numbers(list)).toEqual([10, 11, 12, 14]);
  const book = 'A first look\n\nx = 1\ny = 2\n\nz = 3\n\nprint(z)';
  const cells = blocks(book, 'notebook', [
    part(book, 'A first look', { cell_index: 1 }),
    part(book, 'x = 1\ny = 2\n\nz = 3', { cell_index: 2 }),
    part(book, 'print(z)', { cell_index: 3 }),
  ]);
  expect(kinds(cells)).toEqual(['place', 'paragraph', 'place', 'code', 'code', 'place', 'code']);
  expect(numbers(cells)).toEqual([1, 2, 4, 1]);
});

test('a line of a million characters is shown in pieces that lose nothing', () => {
  const text = `${'x'.repeat(500_000)} ${'👪'.repeat(250_000)}`;
  for (const kind of ['text', 'code']) {
    const list = blocks(text, kind, []);
    const spans = list.flatMap<Span>((block) => (block.kind === 'code' ? block.lines : [block]));
    expect(spans.every((span) => span.end - span.start <= 4000)).toBe(true);
    expect(spans.map((span) => words(text, span)).join('')).toBe(text);
    expect(spans.some((span) => /^[\udc00-\udfff]/.test(words(text, span)))).toBe(false);
  }
});

test('columns are named as in a spreadsheet', () => {
  expect([0, 25, 26, 701, 702].map(columnName)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA']);
});
