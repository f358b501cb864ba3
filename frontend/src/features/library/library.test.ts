import { beforeEach, expect, test, vi } from 'vitest';
import { MockWindow } from '../../../e2e/mock/window';
import { connect, type FileStatus } from '../../api';
import { language } from '../../text/locale.svelte';
import { LibraryModel, pageSize } from './library.svelte';
import { filterStatuses, statusDetail, statusLook } from './status';

let mock: MockWindow;
let library: LibraryModel;
const said: string[] = [];

beforeEach(async () => {
  language.choice = 'en';
  said.length = 0;
  mock = new MockWindow();
  library = new LibraryModel(connect(mock.host()), (sentence) => said.push(sentence));
  library.start();
  await vi.waitFor(() => expect(library.loaded).toBe(true));
});

const settled = () => vi.waitFor(() => expect(library.row(0)).toBeDefined());

test('R105: only the pages in sight are read', async () => {
  expect(library.total).toBe(3061);
  expect(mock.called('Files')).toHaveLength(1);
  library.want(0, 40);
  expect(mock.called('Files')).toHaveLength(1);
  library.want(2990, 3020);
  await vi.waitFor(() => expect(library.row(3000)).toBeDefined());
  expect(mock.called('Files').map(([q]) => (q as { offset: number }).offset)).toEqual([0, 2900, 3000]);
  expect(library.row(1500)).toBeUndefined();
  expect(pageSize).toBe(100);
});

test('a collection narrows the ledger and the counts', async () => {
  library.select({ kind: 'collection', id: 1 });
  await settled();
  expect(library.counts).toEqual({ all: 1204, indexed: 1098, progress: 92, attention: 14 });
  expect(mock.called('Files').at(-1)?.[0]).toMatchObject({ collection: 1, offset: 0 });
});

test('a filter asks for all of its states', async () => {
  library.narrow('progress');
  await settled();
  expect(mock.called('Files').at(-1)?.[0]).toMatchObject({ status: 'waiting,indexing' });
  expect(library.row(0)?.status).toMatch(/waiting|indexing/);
});

test('sorting by the same column again turns the order round', () => {
  library.sortBy('size');
  library.sortBy('size');
  expect(mock.called('Files').at(-1)?.[0]).toMatchObject({ sort: '-size' });
});

test('what cannot be added is told, the rest is added', async () => {
  await library.add(['/home/ada/Good', '/home/ada/missing.pdf']);
  expect(library.refused).toEqual([
    { path: '/home/ada/missing.pdf', sentence: 'There is no such file. Check the path.' },
  ]);
  expect(said.at(-1)?.replaceAll('\u00a0', ' ')).toBe('Added 1 item.');
});

test('R107: 200 dropped files are added at once, to the collection in view', async () => {
  library.select({ kind: 'collection', id: 1 });
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
  expect(library.row(0)).toBeDefined();
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
  const filtered = (['indexed', 'progress', 'attention'] as const).flatMap((f) =>
    filterStatuses(f).split(','),
  );
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
