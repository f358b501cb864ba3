import { fireEvent, render, screen, waitFor } from '@testing-library/svelte';
import { beforeEach, expect, test, vi } from 'vitest';
import { handbook } from '../../../e2e/mock/turns';
import { MockWindow } from '../../../e2e/mock/window';
import { connect, type DocumentText } from '../../api';
import { fold } from './fold';
import type { PdfFile } from './pages.svelte';
import { type CitedPassage, findMarks, runs } from './place';
import { type Opening, ReaderModel } from './reader.svelte';
import ReaderView from './ReaderView.svelte';

let mock: MockWindow;
let reader: ReaderModel;
beforeEach(() => {
  mock = new MockWindow();
  reader = new ReaderModel(connect(mock.host()), () => Promise.reject(new Error('no PDF here')));
});

const cite = (part: Partial<CitedPassage> & { n: number; text: string }): CitedPassage => ({
  chunk: part.n,
  hash: '',
  document: 1,
  path: '/x/handbook.pdf',
  title: 'Handbook',
  locator: { page: 84 },
  class: 'fact',
  pinned: false,
  spans: [],
  ...part,
});
const passage = '7.3 Where the tenant is 65 or older';
const opening = (part: Partial<Opening> = {}): Opening => ({
  document: 1,
  path: '/x/handbook.pdf',
  title: 'Handbook',
  locator: { page: 84 },
  n: 1,
  passages: [cite({ n: 1, text: passage, spans: [{ start: 4, end: 9 }] })],
  ...part,
});
/** A document of the mock; the program may leave fields out, as an older one does. */
function serve(part: Partial<DocumentText>) {
  mock.DocumentText = () => ({ title: '', path: '', text: '', kind: 'text', pages: 0, ...part }) as never;
}
const holds = { classOf: () => 'fact', isPinned: () => false, classify: vi.fn(), pin: vi.fn() };
const view = () => {
  const on = { onclose: vi.fn(), onexternal: vi.fn(), onreveal: vi.fn() };
  render(ReaderView, { reader, holds, ...on });
  return on;
};

/** Pages of text without a picture. */
const pdf = (texts: string[]): PdfFile => ({
  count: texts.length,
  label: (page) => (page === 2 ? 'ii' : String(page)),
  size: () => Promise.resolve({ width: 600, height: 800 }),
  text: (page) => Promise.resolve(fold(texts[page - 1] ?? '')),
  draw: () => Promise.resolve(null),
  outline: () => Promise.resolve([{ title: 'Beginning', level: 1, page: 1 }]),
  close: vi.fn(),
});

test('marks are found in the text and laid over it', () => {
  const text = 'One.\nTwo 𝒳 three.\nFour.';
  const marks = findMarks(text, [
    cite({ n: 2, text: 'Two 𝒳 three.\nFour', spans: [{ start: 4, end: 5 }] }),
    cite({ n: 3, text: 'gone' }),
  ]);
  expect(marks.map((m) => m.n)).toEqual([2]);
  expect(runs(text, { start: 0, end: text.length }, { marks })).toEqual([
    { text: 'One.\n', kind: 'plain' },
    { text: 'Two ', kind: 'passage' },
    { text: '𝒳', kind: 'cited' },
    { text: ' three.\nFour', kind: 'passage' },
    { text: '.', kind: 'plain' },
  ]);
});

test('a passage stands where the part with its content does, not where its words are first', () => {
  const text = 'Same words.\n\nSame words.\n\nFlat | Rent\nB | 795';
  const parts = [
    { start: 0, length: 11, content_hash: 'a', heading: null, locator: {} },
    { start: 13, length: 11, content_hash: 'b', heading: null, locator: {} },
    { start: 38, length: 7, content_hash: 'c', heading: null, locator: {} },
  ];
  const marks = findMarks(
    text,
    [
      cite({ n: 1, hash: 'b', text: 'Same words.', spans: [{ start: 5, end: 10 }] }),
      // A later piece of a table repeats its header row, which does not stand there.
      cite({ n: 2, hash: 'c', text: 'Flat | Rent\nB | 795', spans: [{ start: 16, end: 19 }] }),
    ],
    parts,
  );
  expect(marks).toMatchObject([
    { n: 1, start: 13, end: 24, cited: [{ start: 18, end: 23 }] },
    { n: 2, start: 38, end: 45, cited: [{ start: 42, end: 45 }] },
  ]);
});

test('finds are laid over marks, the current one apart', () => {
  const text = 'ab ab ab';
  const found = [
    { start: 0, end: 2 },
    { start: 3, end: 5 },
  ];
  expect(runs(text, { start: 0, end: 8 }, { marks: [], found, current: found[1] ?? null })).toEqual([
    { text: 'ab', kind: 'plain', found: 'found' },
    { text: ' ', kind: 'plain' },
    { text: 'ab', kind: 'plain', found: 'current' },
    { text: ' ab', kind: 'plain' },
  ]);
});

test('the cited passage is marked in its document', async () => {
  await reader.show(opening());
  expect(reader.text).toBe(handbook);
  view();
  expect(document.querySelector('mark')?.textContent).toBe('Where');
  expect(screen.getByText('page 84 of 212')).toBeTruthy();
  expect(screen.getByText('Mark 1 of 1')).toBeTruthy();
  expect(screen.getByText('Start of passage 1')).toBeTruthy();
});

test('a passage that the document no longer has is shown as it was, and the document as it is on request', async () => {
  serve({ text: 'Other words.' });
  await reader.show(opening({ passages: [cite({ n: 1, text: 'Words that are gone.' })] }));
  expect([reader.changed, reader.missing, reader.text]).toEqual([true, false, 'Words that are gone.']);
  expect(reader.current?.n).toBe(1);
  view();
  expect(screen.getByText(/The stored passage is shown/)).toBeTruthy();
  await fireEvent.click(screen.getByRole('button', { name: 'Show the document as it is now' }));
  expect(reader.text).toBe('Other words.');
  expect(screen.getByText(/without the passage/)).toBeTruthy();
  await fireEvent.click(screen.getByRole('button', { name: 'Show the stored passage' }));
  expect(reader.text).toBe('Words that are gone.');
});

test('a document that left the library still shows what was stored', async () => {
  await reader.show(opening({ document: 99, passages: [cite({ n: 1, text: passage, document: 99 })] }));
  expect(reader.missing).toBe(true);
  expect(reader.text).toBe(passage);
  view();
  expect(screen.getByText(/no longer in the library/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Open in the default program' })).toBeNull();
});

test.each([
  ['gone', /gone or out of reach/, false],
  ['changed', /will be read again/, true],
] as const)('a file that is %s says so above its stored text', async (state, sentence, onDisk) => {
  serve({ text: handbook, kind: 'pdf', state, version: '' });
  await reader.show(opening());
  view();
  expect(screen.getByText(sentence)).toBeTruthy();
  expect(document.querySelector('mark')?.textContent).toBe('Where');
  expect(screen.queryByRole('button', { name: 'Show in folder' }) !== null).toBe(onDisk);
});

test('a restricted document says so', async () => {
  serve({ text: 'Secret.', label: 'restricted' });
  await reader.show(opening({ n: null, passages: [] }));
  view();
  expect(screen.getByText('Restricted: never searched.')).toBeTruthy();
});

test('a long document shows a part and grows on request', async () => {
  serve({ text: Array.from({ length: 5000 }, (_, i) => `Line ${i}.`).join('\n\n') });
  await reader.show(opening({ passages: [cite({ n: 1, text: 'Line 2500.' })] }));
  expect(reader.shown).toHaveLength(400);
  expect([reader.hasEarlier, reader.hasLater]).toEqual([true, true]);
  reader.showLater();
  expect(reader.shown).toHaveLength(600);
});

test('the passages of the answer are stepped through round and round, into other documents', async () => {
  mock.DocumentText = (id: number) =>
    ({ title: '', path: '', text: id === 1 ? handbook : 'The other one.', kind: 'text', pages: 0 }) as never;
  await reader.show(
    opening({
      passages: [
        cite({ n: 1, text: '7.4 Hardship' }),
        cite({ n: 2, text: '7.2 Form and service' }),
        cite({ n: 3, text: 'The other one.', document: 2, path: '/x/other.txt' }),
      ],
    }),
  );
  expect([reader.at, reader.current?.n]).toEqual([1, 1]);
  reader.step(1);
  await waitFor(() => expect(reader.current?.n).toBe(2));
  reader.step(1);
  await waitFor(() => expect(reader.current?.n).toBe(3));
  expect([reader.opening?.path, reader.text]).toEqual(['/x/other.txt', 'The other one.']);
  reader.step(1);
  await waitFor(() => expect(reader.current?.n).toBe(1));
  expect(reader.opening?.document).toBe(1);
});

test('a PDF opens as pages at the cited one, and as text where it cannot be drawn', async () => {
  serve({ text: 'First.\n\nSecond.', kind: 'pdf', pages: 2, version: 'v', state: 'same' });
  await reader.show(opening({ passages: [] }));
  expect(reader.view).toBe('text');

  const opened: string[] = [];
  reader = new ReaderModel(connect(mock.host()), (address) => {
    opened.push(address);
    return Promise.resolve(pdf(['First.', 'Second.']));
  });
  await reader.show(opening({ passages: [] }));
  expect([reader.view, opened]).toEqual(['pages', ['/document/1?v=v']]);
  reader.toggleText();
  expect(reader.view).toBe('text');
});

test('rectangles are laid over a page only while the file is the one that was read', async () => {
  const rects = [{ x: 70, y: 100, width: 200, height: 40 }];
  const parts = [{ start: 0, length: 11, content_hash: 'h', heading: null, locator: { page: 2 } }];
  const passages = [
    cite({
      n: 1,
      hash: 'h',
      text: 'Some words.',
      locator: { page: 2, rects },
      spans: [{ start: 5, end: 10 }],
    }),
  ];
  for (const state of ['same', 'changed'] as const) {
    serve({ text: 'Some words.', kind: 'pdf', pages: 2, version: 'v', state, parts });
    reader = new ReaderModel(connect(mock.host()), () => Promise.resolve(pdf(['', 'Some words.'])));
    await reader.show(opening({ passages }));
    expect(reader.marksOn(1)).toEqual([]);
    expect(reader.marksOn(2)).toEqual([
      { n: 1, rects: state === 'same' ? rects : [], words: ['words'], current: true },
    ]);
  }
});

test('search counts what it finds, page after page, and goes round', async () => {
  serve({ text: 'x', kind: 'pdf', pages: 3, version: 'v' });
  reader = new ReaderModel(connect(mock.host()), () =>
    Promise.resolve(pdf(['Kessel und KESSEL', 'nothing', 'a kes-\nsel and Kessél'])),
  );
  await reader.show(opening({ passages: [] }));
  await reader.find('kessel');
  const { finder } = reader;
  expect(finder.matches.map((match) => match.index)).toEqual([0, 0, 2, 2]);
  expect([finder.at, finder.busy, finder.capped]).toEqual([0, false, false]);
  finder.step(-1);
  expect(finder.current?.index).toBe(2);
  finder.step(1);
  expect(finder.at).toBe(0);
});

test('the keys of the reader find, step, show text and close', async () => {
  await reader.show(opening());
  const on = view();
  const aside = screen.getByRole('complementary', { name: 'Reader' });
  await fireEvent.keyDown(aside, { key: 'f', ctrlKey: true });
  const field = await screen.findByRole('searchbox', { name: 'Find in the document' });
  await fireEvent.input(field, { target: { value: 'tenant' } });
  await waitFor(() => expect(screen.getByText(/^1 of \d+$/)).toBeTruthy());
  expect(document.querySelectorAll('[data-found="current"]')).toHaveLength(1);
  await fireEvent.keyDown(field, { key: 'Enter' });
  expect(reader.finder.at).toBe(1);
  await fireEvent.keyDown(field, { key: 'Escape' });
  expect([reader.finder.open, on.onclose.mock.calls.length]).toEqual([false, 0]);
  await fireEvent.keyDown(aside, { key: 'o' });
  await fireEvent.keyDown(aside, { key: 'r' });
  expect([on.onexternal.mock.calls, on.onreveal.mock.calls]).toEqual([
    [['/x/handbook.pdf']],
    [['/x/handbook.pdf']],
  ]);
  await fireEvent.keyDown(aside, { key: '+', ctrlKey: true });
  expect(reader.zoom).toBe(110);
  await fireEvent.keyDown(aside, { key: 'Escape' });
  expect(on.onclose).toHaveBeenCalledOnce();
});

test('zoom stays between its limits and is remembered', () => {
  for (let i = 0; i < 30; i++) reader.magnify(10);
  expect(reader.zoom).toBe(200);
  for (let i = 0; i < 30; i++) reader.magnify(-10);
  expect(reader.zoom).toBe(80);
  expect(new ReaderModel(connect(mock.host())).zoom).toBe(80);
});
