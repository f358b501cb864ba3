import { render, screen, waitFor, within } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { MockWindow } from '../../../e2e/mock/window';
import { connect } from '../../api';
import { LibraryModel } from './library.svelte';
import LibraryView from './LibraryView.svelte';

let mock: MockWindow;
let library: LibraryModel;
const said: string[] = [];
const plain = (text: string | null | undefined) => (text ?? '').replaceAll('\u00a0', ' ');

beforeEach(() => {
  said.length = 0;
  mock = new MockWindow();
  library = new LibraryModel(connect(mock.host()), (sentence) => said.push(sentence));
  // The test page has no layout: the ledger is told how high it is.
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(900);
});

async function show() {
  library.start();
  await vi.waitFor(() => expect(library.rows.loaded).toBe(true));
  render(LibraryView, { library, drag: null, onread: vi.fn() });
  return userEvent.setup();
}

/** The ledger with one file, under the keys. */
async function only(name: string) {
  const user = await show();
  library.find(name);
  await vi.waitFor(() => expect(library.rows.total).toBe(1));
  screen.getByRole('grid', { name: 'Files' }).focus();
  return user;
}

const other = {
  from: 'Multilingual E5 small',
  to: 'EmbeddingGemma 300M',
  passages: 48_310,
  done: 1_200,
  seconds: 5400,
  building: false,
  sentence: 'The old index serves until you have a new one built.',
};

test('the model of the settings serves: nothing is said of a change', async () => {
  await show();
  await vi.waitFor(() => expect(mock.called('PlanEmbedder')).toHaveLength(1));
  expect(screen.queryByText(/search model/)).toBeNull();
});

test('another search model is built only after its cost was shown, beside the old one, and takes over', async () => {
  mock.embedPlan = other;
  const user = await show();
  expect(await screen.findByText('The search model EmbeddingGemma 300M is not in use yet.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Build its index…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Build a new search index' });
  expect(plain(dialog.textContent)).toMatch(
    /Multilingual E5 small.*EmbeddingGemma 300M.*48,310.*1,200.*about 2 h/s,
  );
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  expect(mock.called('BuildEmbedder')).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Build its index…' }));
  await user.click(await screen.findByRole('button', { name: 'Build' }));
  mock.emit('embedder', { ...other, done: 24_155, building: true, seconds: 600 });
  const bar = await screen.findByRole('progressbar', { name: /EmbeddingGemma/ });
  await waitFor(() => expect(bar.getAttribute('aria-valuenow')).toBe('50'));
  expect(screen.getByText('Multilingual E5 small answers until then.')).toBeTruthy();
  mock.finishEmbedder();
  expect(await screen.findByText('The search index of EmbeddingGemma 300M is in use.')).toBeTruthy();
  expect(said).toContain('The search index of EmbeddingGemma 300M is in use.');
  expect(screen.queryByRole('progressbar')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Build its index…' })).toBeNull();
});

test('the building is stopped, and can begin again', async () => {
  mock.embedPlan = other;
  const user = await show();
  await user.click(await screen.findByRole('button', { name: 'Build its index…' }));
  await user.click(await screen.findByRole('button', { name: 'Build' }));
  await user.click(await screen.findByRole('button', { name: 'Stop' }));
  expect(await screen.findByText('Stopped. The old search index serves.')).toBeTruthy();
  expect(library.searchModel.problem).toBeNull();
  expect(screen.getByRole('button', { name: 'Build its index…' })).toBeTruthy();
});

test('a building that went on by itself is followed by the notices of the library', async () => {
  mock.embedPlan = { ...other, building: true };
  await show();
  const bar = await screen.findByRole('progressbar', { name: /EmbeddingGemma/ });
  expect(bar.getAttribute('aria-valuenow')).toBe('2');
  mock.embedPlan = { ...other, building: true, done: 36_233 };
  mock.emit('library', mock.library);
  await waitFor(() => expect(bar.getAttribute('aria-valuenow')).toBe('75'));
  expect(mock.called('BuildEmbedder')).toEqual([]);
});

test('a protected file is unlocked: a wrong password is told, the next one opens it', async () => {
  const user = await only('Settlement');
  await user.click(await screen.findByRole('button', { name: 'Unlock' }));
  const dialog = await screen.findByRole('dialog', { name: 'Unlock Settlement agreement 14 March.pdf' });
  const field = within(dialog).getByLabelText<HTMLInputElement>('Password');
  expect(field.type).toBe('password');
  const go = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Unlock' });
  expect(go.disabled).toBe(true);
  await user.type(field, 'wrong');
  await user.click(go);
  expect(await within(dialog).findByText('Reading the file with this password…')).toBeTruthy();
  expect(go.disabled).toBe(true);
  mock.finishUnlock();
  expect(
    await within(dialog).findByText('The password does not open this PDF. Enter it again.'),
  ).toBeTruthy();
  expect(field.getAttribute('aria-invalid')).toBe('true');
  await user.clear(field);
  await user.type(field, 'Quay Street 12');
  await user.click(within(dialog).getByRole('switch', { name: 'Keep in the system’s keyring' }));
  await user.click(go);
  mock.finishUnlock();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(said).toContain('Settlement agreement 14 March.pdf is unlocked.');
  const path = library.rows.row(0)?.path;
  expect(mock.called('Unlock')[0]).toEqual([{ path, password: 'wrong', keep: false }]);
  expect(mock.called('Unlock').at(-1)).toEqual([{ path, password: 'Quay Street 12', keep: true }]);
});

test('without a keyring the password is not kept, and that is said', async () => {
  mock.keyring = false;
  const user = await only('Settlement');
  await user.keyboard('u');
  const dialog = await screen.findByRole('dialog');
  await user.type(within(dialog).getByLabelText('Password'), mock.password);
  await user.click(within(dialog).getByRole('switch', { name: 'Keep in the system’s keyring' }));
  await user.click(within(dialog).getByRole('button', { name: 'Unlock' }));
  mock.finishUnlock();
  expect(await screen.findByText('This computer has no keyring.')).toBeTruthy();
});

test('a password is forgotten with its question, and a program that fails says why', async () => {
  const user = await only('Settlement');
  await user.keyboard('u');
  await user.type(await screen.findByLabelText('Password'), 'secret');
  mock.failures.set('Unlock', {
    code: 'library_busy',
    message: 'The library is busy.',
    hint: 'Wait a moment.',
  });
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Unlock' }));
  expect(await screen.findByText('The library is busy. Wait a moment.')).toBeTruthy();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  library.unlock.ask('/home/ada/other.pdf');
  expect((await screen.findByLabelText<HTMLInputElement>('Password')).value).toBe('');
});

test('a folder’s protected files are unlocked together, and its files take a class', async () => {
  const user = await show();
  const folder = library.folders[0];
  if (!folder) throw new Error('no folder');
  library.select({ kind: 'folder', id: folder.id });
  const choose = async (name: string) => {
    await user.click(await screen.findByRole('button', { name: /^More for Handbooks/ }));
    await user.click(await screen.findByRole('menuitem', { name }));
  };
  await choose('Treat all files as snapshot');
  expect(mock.called('SetClass')).toEqual([[folder.path, 'snapshot']]);
  await choose('Unlock the protected files…');
  await user.type(await screen.findByLabelText('Password'), 'one for all');
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Unlock' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(mock.called('Unlock')).toEqual([[{ path: folder.path, password: 'one for all', keep: false }]]);
  expect(said).toContain('The protected files are read with this password.');
});

test('the times of reading are shown, step by step', async () => {
  const user = await show();
  await user.click(screen.getByRole('button', { name: 'Reading times' }));
  const dialog = await screen.findByRole('dialog', { name: 'How long reading took' });
  expect(plain(dialog.textContent)).toContain('1,000 files were read in 7 min: 2.4 files a second.');
  const rows = within(dialog)
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .slice(0, 3)
        .map((cell) => plain(cell.textContent)),
    );
  expect(rows).toEqual([
    ['Read', '2 min', '19 %'],
    ['Cut', '4.2 s', '1 %'],
    ['Store', '31.5 s', '6 %'],
    ['Meaning', '6 min', '73 %'],
    ['Other', '2.3 s', '0 %'],
  ]);
});

test('without a run there are no times', async () => {
  mock.ingestReport = { ...mock.ingestReport, files: 0 };
  const user = await show();
  await user.click(screen.getByRole('button', { name: 'Reading times' }));
  expect(await screen.findByText('Nothing was read since the program started.')).toBeTruthy();
});

test('the encoding of a text is chosen from its row’s menu, by keys alone, and taken back', async () => {
  const user = await only('Tenant chat');
  await user.keyboard('m');
  await user.click(await screen.findByRole('menuitem', { name: 'Encoding…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Encoding of Tenant chat export 2023-11.txt' });
  expect(within(dialog).getByText('It was read as utf-8.')).toBeTruthy();
  expect(within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Read again' }).disabled).toBe(true);
  await user.click(within(dialog).getByRole('combobox', { name: 'Encoding: Automatic' }));
  await user.click(await screen.findByRole('option', { name: /^koi8-r/ }));
  await user.click(within(dialog).getByRole('button', { name: 'Read again' }));
  const path = library.rows.row(0)?.path;
  expect(mock.called('SetEncoding')).toEqual([[path, 'koi8-r']]);
  await vi.waitFor(() => expect(library.rows.row(0)?.encoding_choice).toBe('koi8-r'));
  const row = library.rows.row(0);
  if (!row) throw new Error('no row');
  await library.askEncoding({ ...row, status: 'indexed' });
  expect(await screen.findByText(/so your choice does not count/)).toBeTruthy();
  await library.setEncoding('');
  expect(mock.called('SetEncoding').at(-1)).toEqual([path, '']);
});

test('the tags of a file are written from its row’s menu, by keys alone, shown in the row, and taken back', async () => {
  const user = await only('Tenant chat');
  const row = () => library.rows.row(0);
  await user.keyboard('m');
  await user.click(await screen.findByRole('menuitem', { name: 'Tags…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Tags of Tenant chat export 2023-11.txt' });
  const field = within(dialog).getByRole<HTMLInputElement>('textbox', { name: 'Tags, with commas between' });
  const save = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Save' });
  expect(save.disabled).toBe(true);
  await user.type(field, `Tax,  two   words ,tax、${'x'.repeat(61)}`);
  expect(within(dialog).getByRole('alert').textContent).toBe('A tag has 60 characters at most.');
  expect(save.disabled).toBe(true);
  await user.clear(field);
  await user.type(field, 'Tax,  two   words ,, Tax{Enter}');
  expect(mock.called('SetTags')).toEqual([[row()?.path, ['Tax', 'two words']]]);
  await vi.waitFor(() => expect(row()?.tags).toEqual(['tax', 'two words']));
  expect(await screen.findByTitle('tax, two words')).toBeTruthy();
  library.tagsOf = row() ?? null;
  const again = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Tags, with commas between' });
  expect(again.value).toBe('tax, two words');
  await user.clear(again);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(mock.called('SetTags').at(-1)).toEqual([row()?.path, []]);
  await vi.waitFor(() => expect(row()?.tags).toEqual([]));
});

test('what was written into one file’s tags is not there at the next, and stays where it fails', async () => {
  const user = await only('Tenant chat');
  const file = library.rows.row(0);
  if (!file) throw new Error('there is no row');
  const field = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Tags, with commas between' });
  library.tagsOf = file;
  await user.type(await field(), 'secret plan');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  library.tagsOf = { ...file, path: '/docs/other.txt' };
  expect((await field()).value).toBe('');
  mock.failures.set('SetTags', { code: 'storage_failed', message: 'The disk is full.' });
  await user.type(await field(), 'tax{Enter}');
  const dialog = screen.getByRole('dialog');
  expect((await within(dialog).findByRole('alert')).textContent).toBe('The disk is full.');
  expect((await field()).value).toBe('tax');
});

test('a kind without an encoding offers none', async () => {
  const user = await only('Residential tenancy handbook');
  await user.keyboard('m');
  expect(await screen.findByRole('menuitem', { name: 'Read the text' })).toBeTruthy();
  expect(screen.queryByRole('menuitem', { name: 'Encoding…' })).toBeNull();
  expect(screen.queryByRole('menuitem', { name: 'Unlock…' })).toBeNull();
});

test('files of an earlier version are read anew only when the person says so', async () => {
  const sentence = '412 files were read by an earlier version. Reading them again takes about 9 min.';
  mock.recutPlan = { ...mock.recutPlan, files: 412, seconds: 540, long: true, sentence };
  const user = await show();
  expect(await screen.findByText(sentence)).toBeTruthy();
  expect(mock.called('Recut')).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Read them again' }));
  expect(mock.called('Recut')).toEqual([[]]);
  await waitFor(() => expect(screen.queryByText(sentence)).toBeNull());
});

test('the offer waits when it is put off, and is not made for nothing', async () => {
  mock.recutPlan = { ...mock.recutPlan, files: 3, sentence: '3 files were read by an earlier version.' };
  const user = await show();
  await user.click(await screen.findByRole('button', { name: 'Not now' }));
  await waitFor(() => expect(screen.queryByText(/earlier version/)).toBeNull());
  expect(mock.called('Recut')).toEqual([]);
  mock.recutPlan = { ...mock.recutPlan, files: 0 };
  await library.recut.load();
  expect(library.recut.plan).toBeNull();
});
