import { render, screen, waitFor } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { MockWindow, type MockOptions } from '../../../e2e/mock/window';
import { connect } from '../../api';
import { LibraryModel } from './library.svelte';
import LibraryView from './LibraryView.svelte';

async function show(options: MockOptions = {}) {
  const mock = new MockWindow(options);
  const library = new LibraryModel(connect(mock.host()), () => undefined);
  library.start();
  await vi.waitFor(() => expect(library.rows.loaded).toBe(true));
  render(LibraryView, { library, drag: null, onread: vi.fn() });
  return { mock, library, user: userEvent.setup() };
}

test('the ledger is a grid that knows its whole length', async () => {
  // The test page has no layout: the ledger is told how high it is.
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(900);
  await show();
  const grid = await screen.findByRole('grid', { name: 'Files' });
  expect(grid.getAttribute('aria-rowcount')).toBe('3062');
  await waitFor(() => expect(grid.querySelectorAll('[role="row"]').length).toBeGreaterThan(3));
  expect(grid.querySelectorAll('[role="row"]').length).toBeLessThan(60);
});

test('an empty library says what to do', async () => {
  const { user, mock } = await show({ empty: true });
  expect(screen.getByText('No files yet. Add a folder.')).toBeTruthy();
  const [button] = screen.getAllByRole('button', { name: 'Add folder' });
  if (button) await user.click(button);
  expect(mock.called('Add')).toEqual([[['/home/ada/New folder'], {}]]);
});

test('an empty filter is told from an empty library', async () => {
  const { user } = await show();
  await user.type(screen.getByRole('searchbox', { name: 'Filter by name' }), 'zzz');
  expect(await screen.findByText('No files match.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Show all files' }));
  expect(await screen.findByRole('grid', { name: 'Files' })).toBeTruthy();
});

test('progress shows rate and remaining time, and can be paused', async () => {
  const { user, mock } = await show({ indexing: true });
  expect(screen.getByText('Indexing 1,112 of 1,204 files')).toBeTruthy();
  expect(screen.getByText(/38.files a minute, about 2.min left/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Pause' }));
  expect(await screen.findByText('Paused.')).toBeTruthy();
  expect(mock.called('Pause')).toHaveLength(1);
});

test('a collection is renamed from its menu, and deleted after a question', async () => {
  const { user, mock, library } = await show();
  expect(screen.queryByRole('button', { name: /^More for Tenancy law/ })).toBeNull();
  library.select({ kind: 'collection', name: 'Tenancy law' });
  await user.click(await screen.findByRole('button', { name: 'More for Tenancy law' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Rename' }));
  const field = await screen.findByRole('textbox', { name: 'Name' });
  await user.clear(field);
  expect(screen.getByRole('button', { name: 'Rename' }).hasAttribute('disabled')).toBe(true);
  await user.type(field, 'Leases{Enter}');
  expect(mock.called('RenameCollection')).toEqual([['Tenancy law', 'Leases']]);
  await user.click(await screen.findByRole('button', { name: 'More for Leases' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete the collection' }));
  expect(await screen.findByText(/^The collection Leases goes away\./)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  expect(mock.called('DeleteCollection')).toEqual([['Leases']]);
});

test('a folder is restricted and removed from its menu', async () => {
  const { user, mock, library } = await show();
  const folder = library.folders[0];
  if (!folder) throw new Error('no folder');
  library.select({ kind: 'folder', id: folder.id });
  const more = () => screen.findByRole('button', { name: /^More for Handbooks/ });
  await user.click(await more());
  await user.click(await screen.findByRole('menuitem', { name: 'Make restricted' }));
  expect(mock.called('SetLabel')).toEqual([[folder.path, 'restricted']]);
  await user.click(await more());
  await user.click(await screen.findByRole('menuitem', { name: 'Remove the folder from the library' }));
  await user.click(await screen.findByRole('button', { name: 'Remove' }));
  expect(mock.called('Remove')).toEqual([[folder.path, false]]);
});

test('what takes long is asked about first, with what it costs', async () => {
  const { mock, library, user } = await show();
  mock.plan = {
    files: 1,
    bytes: 9e9,
    pages: 52_000,
    passages: 90_000,
    seconds: 5400,
    meaning: 20_000,
    long: true,
  };
  await library.add(['/home/ada/Archive']);
  expect(await screen.findByText('This takes a while')).toBeTruthy();
  const dialog = screen.getByRole('dialog');
  expect(dialog.textContent?.replaceAll('\u00a0', ' ')).toMatch(
    /9\.00 GB.*about 52,000.*about 2 h.*about 6 h/,
  );
  expect(mock.called('Add')).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(library.planned).toBeNull();
  await library.add(['/home/ada/Archive']);
  await user.click(await screen.findByRole('button', { name: 'Add' }));
  expect(mock.called('Add')).toEqual([[['/home/ada/Archive'], {}]]);
});

test('what is small is added at once', async () => {
  const { mock, library } = await show();
  await library.add(['/home/ada/a.txt']);
  expect(mock.called('Add')).toHaveLength(1);
  expect(library.planned).toBeNull();
});

test('why a file is missing is said in a sentence', async () => {
  const { mock, user } = await show();
  mock.standings = [
    { name: 'a.tmp', path: '/home/ada/a.tmp', sentence: 'The rule *.tmp of .gitignore leaves it out.' },
  ];
  await user.click(screen.getByRole('button', { name: 'Why is a file missing?' }));
  expect(await screen.findByText('The rule *.tmp of .gitignore leaves it out.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('fifty thousand files are a few rows on the page', async () => {
  const { mock, library } = await show();
  const [like] = mock.files;
  if (!like) throw new Error('no file');
  mock.files = Array.from({ length: 50_000 }, (_, i) => ({ ...like, id: i + 1, path: `${like.path}.${i}` }));
  library.find('');
  await vi.waitFor(() => expect(library.rows.total).toBe(50_000));
  expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('50001');
  expect(screen.getAllByRole('row').length).toBeLessThan(60);
  const before = mock.called('Files').length;
  library.rows.want(31_000, 31_020);
  await vi.waitFor(() => expect(library.rows.row(31_010)?.path).toBe(`${like.path}.31010`));
  expect(mock.called('Files').length - before).toBeLessThanOrEqual(2);
});
