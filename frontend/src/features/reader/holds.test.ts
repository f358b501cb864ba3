import { fireEvent, render, screen, waitFor, within } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { MockWindow } from '../../../e2e/mock/window';
import { connect } from '../../api';
import type { CitedPassage } from './place';
import { ReaderModel } from './reader.svelte';
import ReaderView from './ReaderView.svelte';

const holds = {
  classOf: (passage: CitedPassage) => passage.class,
  isPinned: (passage: CitedPassage) => passage.pinned,
  classify: vi.fn(),
  pin: vi.fn(),
};
const words = 'The deposit is two rents.';
const cited = (part: Partial<CitedPassage> = {}): CitedPassage => ({
  n: 2,
  chunk: 7,
  hash: '',
  document: 1,
  path: '/a.txt',
  title: 'A',
  locator: {},
  text: words,
  class: 'snapshot',
  pinned: false,
  spans: [],
  ...part,
});

async function open(path: string, passages: CitedPassage[] = [], text = `Before. ${words} After.`) {
  vi.clearAllMocks();
  const mock = new MockWindow();
  mock.DocumentText = () => ({ title: 'A', path, text, kind: 'text', pages: 0 }) as never;
  const reader = new ReaderModel(connect(mock.host()), () => Promise.reject(new Error('no PDF here')));
  await reader.show({ document: 1, path, title: 'A', locator: {}, n: passages[0]?.n ?? null, passages });
  render(ReaderView, { reader, holds, onclose: vi.fn(), onexternal: vi.fn(), onreveal: vi.fn() });
  return { mock, reader, user: userEvent.setup() };
}

test('the reader says how long a text holds, and it is corrected there', async () => {
  const path = '/home/ada/Tenancy/Correspondence/Tenant chat export 2023-11.txt';
  const { mock, user } = await open(path);
  await user.click(await screen.findByRole('button', { name: 'How long it holds: transient' }));
  expect(screen.getAllByRole('menuitem').map((item) => item.textContent?.trim())).toEqual([
    'Treat as fact',
    'Treat as snapshot',
  ]);
  await user.click(screen.getByRole('menuitem', { name: 'Treat as fact' }));
  expect(mock.called('SetClass')).toEqual([[path, 'fact']]);
  expect(await screen.findByRole('button', { name: 'How long it holds: fact' })).toBeTruthy();
});

test('a correction that fails says why, and a file outside the ledger has no class', async () => {
  const path = '/home/ada/Tenancy/Leases/Templates/Lease template residential 2019.docx';
  const { mock, reader } = await open(path);
  await waitFor(() => expect(reader.file?.class).toBe('snapshot'));
  mock.failures.set('SetClass', { code: 'busy', message: 'The library is busy.', hint: 'Wait.' });
  await reader.classify('fact');
  expect(reader.problem).toBe('The library is busy. Wait.');
  expect(reader.file?.class).toBe('snapshot');
  const elsewhere = await open('/elsewhere/a.txt');
  expect(elsewhere.reader.file).toBeNull();
});

test('the passage that is gone to says how long it holds, and both that and its pin are corrected', async () => {
  const { user } = await open('/a.txt', [cited()]);
  const bar = screen.getByRole('group', { name: 'Passage 2' });
  await user.click(within(bar).getByRole('button', { name: 'How long it holds: snapshot' }));
  await user.click(screen.getByRole('menuitem', { name: 'Treat the passage as transient' }));
  expect(holds.classify).toHaveBeenCalledWith(expect.objectContaining({ chunk: 7 }), 'transient');
  await user.click(within(bar).getByRole('button', { name: 'Pin' }));
  await fireEvent.keyDown(screen.getByRole('complementary'), { key: 'p' });
  expect(holds.pin.mock.calls).toEqual([
    [expect.objectContaining({ chunk: 7 })],
    [expect.objectContaining({ chunk: 7 })],
  ]);
});

test('a pinned passage says so, and offers to let it go', async () => {
  await open('/a.txt', [cited({ pinned: true })]);
  const bar = screen.getByRole('group', { name: 'Passage 2' });
  expect(within(bar).getByText('pinned')).toBeTruthy();
  expect(within(bar).getByRole('button', { name: 'Unpin' })).toBeTruthy();
});

test('a passage that the document no longer has, and a document without one, have no class to correct', async () => {
  const { reader } = await open('/a.txt', [cited()], 'Other words.');
  expect(reader.changed).toBe(true);
  expect(screen.queryByRole('group', { name: 'Passage 2' })).toBeNull();
  await fireEvent.keyDown(screen.getByRole('complementary'), { key: 'p' });
  expect(holds.pin).not.toHaveBeenCalled();
});
