import { beforeEach, expect, test, vi } from 'vitest';
import { MockWindow } from '../../../e2e/mock/window';
import { connect, type FileStatus } from '../../api';
import { pageSize } from './ledger.svelte';
import { LibraryModel } from './library.svelte';
import { filterStatuses, statusDetail, statusLook } from './status';

let mock: MockWindow;
let library: LibraryModel;
const said: string[] = [];

beforeEach(async () => {
  said.length = 0;
  mock = new MockWindow();
  library = new LibraryModel(connect(mock.host()), (sentence) => said.push(sentence));
  library.start();
  await vi.waitFor(() => expect(library.rows.loaded).toBe(true));
});

const settled = () => vi.waitFor(() => expect(library.rows.row(0)).toBeDefined());

test('R105: only the pages in sight are read', async () => {
  expect(library.rows.total).toBe(3061);
  expect(mock.called('Files')).toHaveLength(1);
  library.rows.want(0, 40);
  expect(mock.called('Files')).toHaveLength(1);
  library.rows.want(2990, 3020);
  await vi.waitFor(() => expect(library.rows.row(3000)).toBeDefined());
  expect(mock.called('Files').map(([q]) => (q as { offset: number }).offset)).toEqual([0, 2900, 3000]);
  expect(library.rows.row(1500)).toBeUndefined();
  expect(pageSize).toBe(100);
});

test('a collection narrows the counts, and the ledger to its folders', async () => {
  library.select({ kind: 'collection', name: 'Tenancy law' });
  await vi.waitFor(() => expect(library.rows.total).toBe(1204));
  expect(library.counts).toEqual({ all: 1204, indexed: 1098, progress: 92, attention: 14 });
  const folders = mock.called('Files').map(([q]) => (q as { folder?: number }).folder);
  expect(folders.slice(-3)).toEqual([1, 2, 3]);
  // The lists follow each other without a gap: the first folder has 212 files.
  library.rows.want(205, 220);
  await vi.waitFor(() => expect(library.rows.row(211)).toBeDefined());
  expect(library.rows.row(211)?.path).toContain('/Handbooks/');
  expect(library.rows.row(212)?.path).toContain('/Leases/');
});

test('a filter asks for each of its states', async () => {
  library.narrow('progress');
  await vi.waitFor(() => expect(library.rows.total).toBe(2));
  expect(
    mock
      .called('Files')
      .slice(-2)
      .map(([q]) => (q as { status?: string }).status),
  ).toEqual(['waiting', 'indexing']);
  expect([library.rows.row(0)?.status, library.rows.row(1)?.status]).toEqual(['waiting', 'indexing']);
});

test('rows stay in sight while they are read again', async () => {
  const before = library.rows.row(0);
  const reading = library.retry('/home/ada/x');
  expect(library.rows.row(0)).toBe(before);
  await reading;
  expect(library.rows.row(0)).toBeDefined();
});

test('many changes at once are read once more, not once each', async () => {
  const reads = mock.called('Files').length;
  await Promise.all([library.rows.refresh(), library.rows.refresh(), library.rows.refresh()]);
  await vi.waitFor(() => expect(mock.called('Files').length).toBe(reads + 2));
});

test('sorting asks the program', async () => {
  library.sortBy('size');
  await settled();
  expect(mock.called('Files').at(-1)?.[0]).toMatchObject({ sort: 'size' });
});

test('what cannot be added is told, the rest is added', async () => {
  await library.add(['/home/ada/Good', '/home/ada/missing.pdf']);
  expect(library.refused).toEqual([
    { path: '/home/ada/missing.pdf', sentence: 'There is no such file. Check the path.' },
  ]);
  expect(said.at(-1)?.replaceAll('\u00a0', ' ')).toBe('Added 1 item.');
});

test('R107: 200 dropped files are added at once, to the collection in view', async () => {
  library.select({ kind: 'collection', name: 'Tenancy law' });
  const paths = Array.from({ length: 200 }, (_, i) => `/home/ada/ü %20 ${i}.pdf`);
  await library.add(paths);
  expect(mock.called('Add')).toEqual([[paths, { collection: 'Tenancy law' }]]);
});

test('an error is a sentence, and the ledger stays', async () => {
  mock.failures.set('Retry', {
    code: 'library_busy',
    message: 'The library is busy.',
    hint: 'Wait a moment.',
  });
  await library.retry('/x');
  expect(library.problem).toBe('The library is busy. Wait a moment.');
  expect(library.rows.row(0)).toBeDefined();
});

test('progress is announced at each quarter, once', () => {
  const send = (done: number) =>
    mock.emit('library', { ...mock.library, progress: { ...mock.library.progress, done, total: 100 } });
  said.length = 0;
  for (const done of [10, 24, 25, 26, 60, 61, 100]) send(done);
  expect(said.map((s) => s.replaceAll('\u00a0', ' '))).toEqual([
    'Indexing, 25 %',
    'Indexing, 50 %',
    'Indexing, 100 %',
  ]);
});

test('pause and resume', async () => {
  await library.togglePause();
  expect(library.progress?.paused).toBe(true);
  await library.togglePause();
  expect(mock.called('Resume')).toHaveLength(1);
});

test('a file’s folder is told from the watched folder', () => {
  expect(library.placeOf('/home/ada/Tenancy/Leases/12 Quay Street/a.pdf')).toBe(
    'Tenancy/Leases/12 Quay Street',
  );
  expect(library.placeOf('/elsewhere/a.pdf')).toBe('/elsewhere');
});

test('every state has a word, an icon and one filter', () => {
  const statuses: FileStatus[] = [
    'waiting',
    'indexing',
    'indexed',
    'partly_indexed',
    'needs_password',
    'needs_ocr',
    'unsupported',
    'too_large',
    'damaged',
    'timed_out',
    'cloud_only',
    'no_permission',
    'parked',
    'offline',
  ];
  const filtered = (['indexed', 'progress', 'attention'] as const).flatMap((f) => filterStatuses(f));
  expect([...filtered].sort()).toEqual([...statuses].sort());
  expect(new Set(statuses.map((s) => statusLook(s).word)).size).toBe(statuses.length);
});

test('under the state stands the reason, else what was indexed', () => {
  const file = mock.files.find((f) => f.name.startsWith('Residential'));
  if (!file) throw new Error('no file');
  const now = new Date();
  expect(statusDetail(file, now).replaceAll('\u00a0', ' ')).toMatch(/^212 pages, fact, today 0?9:14/);
  expect(statusDetail({ ...file, reason: '2 of 14 sheets are protected.' }, now)).toBe(
    '2 of 14 sheets are protected',
  );
});

test('a collection is made, renamed and taken away; its files stay', async () => {
  await library.createCollection('Taxes');
  expect(mock.called('CreateCollection')).toEqual([['Taxes', 'public']]);
  expect(library.collection?.name).toBe('Taxes');
  await library.add(['/home/ada/tax.pdf']);
  expect(mock.called('Add').at(-1)).toEqual([['/home/ada/tax.pdf'], { collection: 'Taxes' }]);
  await library.renameCollection('Taxes', ' Taxes 2025 ');
  expect(library.collection?.name).toBe('Taxes 2025');
  await library.renameCollection('Taxes 2025', ' ');
  expect(mock.called('RenameCollection')).toHaveLength(1);
  await library.deleteCollection('Taxes 2025');
  expect(library.selection).toEqual({ kind: 'all' });
  expect(library.collections.some((c) => c.name.startsWith('Taxes'))).toBe(false);
  expect(mock.called('Remove')).toEqual([]);
});

test('the class of a file is corrected', async () => {
  await settled();
  const path = library.rows.row(0)?.path ?? '';
  await library.setClass(path, 'transient');
  expect(mock.called('SetClass')).toEqual([[path, 'transient']]);
  await vi.waitFor(() => expect(library.rows.row(0)?.class).toBe('transient'));
});
