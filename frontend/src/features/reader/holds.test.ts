import { render, screen, waitFor } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { MockWindow } from '../../../e2e/mock/window';
import { connect } from '../../api';
import { language } from '../../text/locale.svelte';
import { ReaderModel } from './reader.svelte';
import ReaderView from './ReaderView.svelte';

async function open(path: string) {
  language.choice = 'en';
  const mock = new MockWindow();
  mock.DocumentText = () => ({ title: 'A', path, text: 'Words.', kind: 'text', pages: 0 }) as never;
  const reader = new ReaderModel(connect(mock.host()), () => Promise.reject(new Error('no PDF here')));
  await reader.show({ document: 1, path, title: 'A', locator: {}, n: null, passages: [] });
  render(ReaderView, { reader, onclose: vi.fn(), onexternal: vi.fn(), onreveal: vi.fn() });
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
