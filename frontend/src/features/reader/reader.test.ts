import { render, screen } from '@testing-library/svelte';
import { beforeEach, expect, test, vi } from 'vitest';
import { handbook } from '../../../e2e/mock/turns';
import { MockWindow } from '../../../e2e/mock/window';
import { connect } from '../../api';
import { language } from '../../text/locale.svelte';
import { findMarks, paragraphs } from './place';
import { type Opening, ReaderModel } from './reader.svelte';
import ReaderView from './ReaderView.svelte';

let mock: MockWindow;
let reader: ReaderModel;
beforeEach(() => {
  language.choice = 'en';
  mock = new MockWindow();
  reader = new ReaderModel(connect(mock.host()));
});

const passage = '7.3 Where the tenant is 65 or older';
const opening = (part: Partial<Opening> = {}): Opening => ({
  document: 1,
  path: '/x/handbook.pdf',
  title: 'Handbook',
  locator: { page: 84 },
  n: 1,
  passages: [{ n: 1, chunk: 11, text: passage, spans: [{ start: 4, end: 9 }] }],
  ...part,
});

test('marks are found in the text and laid over its paragraphs', () => {
  const text = 'One.\nTwo 𝒳 three.\nFour.';
  const marks = findMarks(text, [
    { n: 2, chunk: 1, text: 'Two 𝒳 three.\nFour', spans: [{ start: 4, end: 5 }] },
    { n: 3, chunk: 2, text: 'gone', spans: [] },
  ]);
  expect(marks.map((m) => m.n)).toEqual([2]);
  expect(paragraphs(text, marks)).toEqual([
    { start: 0, runs: [{ text: 'One.', kind: 'plain' }], begins: [], ends: [], inside: [] },
    {
      start: 5,
      runs: [
        { text: 'Two ', kind: 'passage' },
        { text: '𝒳', kind: 'cited' },
        { text: ' three.', kind: 'passage' },
      ],
      begins: [2],
      ends: [],
      inside: [2],
    },
    {
      start: 19,
      runs: [
        { text: 'Four', kind: 'passage' },
        { text: '.', kind: 'plain' },
      ],
      begins: [],
      ends: [2],
      inside: [2],
    },
  ]);
});

test('the cited passage is marked in its document', async () => {
  await reader.show(opening());
  expect(reader.text).toBe(handbook);
  render(ReaderView, { reader, onclose: vi.fn(), onexternal: vi.fn() });
  expect(document.querySelector('mark')?.textContent).toBe('Where');
  expect(screen.getByText('page 84 of 212')).toBeTruthy();
  expect(screen.getByText('Mark 1 of 1')).toBeTruthy();
  expect(screen.getByText('Start of passage 1')).toBeTruthy();
});

test('a changed document shows the stored passage and says so', async () => {
  mock.Passage = (chunk) => ({
    text: '',
    before: `Before ${chunk}.`,
    after: 'After.',
    locator: {},
    heading: null,
    title: '',
    path: '',
    missing: false,
  });
  await reader.show(opening({ passages: [{ n: 1, chunk: 7, text: 'Words that are gone.', spans: [] }] }));
  expect([reader.changed, reader.missing]).toEqual([true, false]);
  expect(reader.text).toBe('Before 7.\nWords that are gone.\nAfter.');
  expect(reader.current?.n).toBe(1);
});

test('a document that left the library still shows what was stored', async () => {
  mock.failures.set('Passage', { code: 'unknown_document', message: 'Gone.' });
  await reader.show(opening({ document: 99 }));
  expect(reader.missing).toBe(true);
  expect(reader.text).toBe(passage);
});

test('a long document shows a part and grows on request', async () => {
  const text = Array.from({ length: 5000 }, (_, i) => `Line ${i}.`).join('\n');
  mock.DocumentText = () => ({ title: '', path: '', text, kind: 'text', pages: 0 });
  await reader.show(opening({ passages: [{ n: 1, chunk: 1, text: 'Line 2500.', spans: [] }] }));
  expect(reader.shown).toHaveLength(400);
  expect([reader.hasEarlier, reader.hasLater]).toEqual([true, true]);
  reader.showLater();
  expect(reader.shown).toHaveLength(600);
});

test('marks are stepped through round and round', async () => {
  await reader.show(
    opening({
      passages: [
        { n: 1, chunk: 1, text: '7.4 Hardship', spans: [] },
        { n: 2, chunk: 2, text: '7.2 Form and service', spans: [] },
      ],
    }),
  );
  expect(reader.marks.map((m) => m.n)).toEqual([2, 1]);
  expect(reader.current?.n).toBe(1);
  reader.step(1);
  expect(reader.current?.n).toBe(2);
  reader.step(-1);
  expect(reader.current?.n).toBe(1);
});
