// The library of the stand-in, with every state a file can be in.
import type { FileQuery, FileRow, FileStatus, Folder, LibraryState } from '../../src/api';

const home = '/home/ada/';

function folder(
  id: number,
  path: string,
  collection: string,
  indexed: number,
  part: Partial<Folder> = {},
): Folder {
  return {
    id,
    path: home + path,
    collection,
    label: 'public',
    state: 'watching',
    reason: null,
    indexed,
    waiting: 0,
    failed: 0,
    ignored: 0,
    last_checked: '2026-03-14T09:14:00Z',
    single_file: false,
    ...part,
  };
}

export function sampleLibrary(): LibraryState {
  return {
    folders: [
      folder(1, 'Tenancy/Handbooks', 'Tenancy law', 210, { failed: 2 }),
      folder(2, 'Tenancy/Leases', 'Tenancy law', 808, { waiting: 88, failed: 8 }),
      folder(3, 'Tenancy/Correspondence', 'Tenancy law', 80, { waiting: 4, failed: 4 }),
      folder(4, 'Projects/Block B', 'Building services', 1402),
      folder(5, 'Archive drive/1998 to 2004', 'Building services', 287, { state: 'offline' }),
      folder(6, 'Sealed', 'Sealed matters', 168, { label: 'restricted' }),
    ],
    collections: [
      { id: 1, name: 'Tenancy law', label: 'public' },
      { id: 2, name: 'Building services', label: 'public' },
      { id: 3, name: 'Sealed matters', label: 'restricted' },
    ],
    progress: {
      done: 3061,
      total: 3061,
      files_per_minute: 0,
      remaining_seconds: 0,
      paused: false,
      vectors_done: 48310,
      vectors_total: 48310,
      current: null,
      sentence: null,
    },
  };
}

export const indexingProgress = {
  done: 1112,
  total: 1204,
  files_per_minute: 38,
  remaining_seconds: 130,
  paused: false,
  vectors_done: 41000,
  vectors_total: 48310,
  current: `${home}Tenancy/Correspondence/Landlord works/Commissioning record.pdf`,
  sentence: null,
};

const today = new Date();
const daysAgo = (days: number, hour: number, minute: number) =>
  new Date(today.getFullYear(), today.getMonth(), today.getDate() - days, hour, minute).toISOString();

const samples: [string, string, FileStatus, string, number, number, number, Partial<FileRow>?][] = [
  [
    'Tenancy/Correspondence/Landlord works',
    'Commissioning record heat pump plant room block B with annexes A to F.pdf',
    'indexing',
    'Page 118 of 190, 9 s left.',
    38.2e6,
    291,
    3,
  ],
  [
    'Tenancy/Leases/12 Quay Street',
    'Service charge statement 2023 scan.pdf',
    'needs_ocr',
    '41 of 41 pages are pictures.',
    12.6e6,
    0,
    2,
  ],
  [
    'Tenancy/Correspondence',
    'Settlement agreement 14 March.pdf',
    'needs_password',
    'The file is encrypted.',
    0.4e6,
    0,
    3,
  ],
  [
    'Tenancy/Leases',
    'Rent register 2019 to 2024.xlsx',
    'damaged',
    'The archive ends early, at 1.2 MB.',
    1.2e6,
    0,
    2,
  ],
  [
    'Tenancy/Handbooks',
    'Planning archive full export.zip',
    'too_large',
    '4.1 GB unpacked; the limit is 1 GB.',
    0.95e9,
    0,
    1,
  ],
  [
    'Tenancy/Correspondence/Cloud drive',
    'Owners’ meeting minutes 2024.docx',
    'cloud_only',
    'Not on this computer; not opened.',
    0,
    0,
    3,
  ],
  [
    'Tenancy/Handbooks',
    'Rent index tables 2015 to 2025.xlsx',
    'partly_indexed',
    '2 of 14 sheets are protected.',
    2.8e6,
    164,
    1,
  ],
  [
    'Tenancy/Handbooks',
    'Residential tenancy handbook 2025.pdf',
    'indexed',
    '',
    9.7e6,
    412,
    1,
    { pages: 212, class: 'fact', updated: daysAgo(0, 9, 14) },
  ],
  [
    'Tenancy/Leases/Templates',
    'Lease template residential 2019.docx',
    'indexed',
    '',
    0.3e6,
    38,
    2,
    { pages: 14, class: 'snapshot', updated: daysAgo(1, 17, 40) },
  ],
  [
    'Tenancy/Correspondence',
    'Tenant chat export 2023-11.txt',
    'indexed',
    '',
    0.1e6,
    57,
    3,
    { class: 'transient', updated: daysAgo(12, 9, 0) },
  ],
  ['Tenancy/Leases', 'Deposit ledger building C.csv', 'waiting', '91 files before it.', 0.2e6, 0, 2],
];

/** Text files were read in an encoding, which may be set. */
function encodingOf(name: string): Pick<FileRow, 'encoding' | 'encoding_choice' | 'takes_encoding'> {
  const text = /\.(txt|csv)$/.test(name);
  return { encoding: text ? 'utf-8' : null, encoding_choice: null, takes_encoding: text };
}

/** Files as they stand: the samples first, then as many as the counts say. */
export function sampleFiles(library: LibraryState): FileRow[] {
  const files = samples.map(
    ([path, name, status, reason, size, chunks, _folder, part], i): FileRow & { folder: number } => ({
      id: i + 1,
      path: `${home}${path}/${name}`,
      name,
      status,
      reason,
      chunks,
      vectors: chunks,
      class: 'unknown',
      label: 'public',
      updated: daysAgo(0, 9, 0),
      size,
      pages: 0,
      kind: name.split('.').at(-1) ?? '',
      title: name,
      ...encodingOf(name),
      tags: [],
      folder: _folder,
      ...part,
    }),
  );
  for (const f of library.folders) {
    const have = files.filter((file) => file.folder === f.id).length;
    const all = f.indexed + f.waiting + f.failed;
    for (let i = have; i < all; i++) {
      const name = `Letter ${String(i + 1).padStart(4, '0')}.pdf`;
      files.push({
        id: f.id * 100_000 + i,
        path: `${f.path}/${name}`,
        name,
        status: 'indexed',
        reason: '',
        chunks: 12,
        vectors: 12,
        class: 'fact',
        label: f.label,
        updated: daysAgo(3 + (i % 40), 11, 5),
        size: 120_000 + i * 317,
        pages: 2,
        kind: 'pdf',
        title: name,
        ...encodingOf(name),
        tags: [],
        folder: f.id,
      });
    }
  }
  return files;
}

/** What the program's Files method does, on a list. */
export function query(
  files: FileRow[],
  library: LibraryState,
  q: FileQuery,
): { total: number; files: FileRow[] } {
  const folders = library.folders.filter((f) => !q.folder || f.id === q.folder).map((f) => f.path);
  const found = files.filter(
    (file) =>
      folders.some((path) => file.path.startsWith(`${path}/`)) &&
      (!q.status || file.status === q.status) &&
      (!q.search || file.path === q.search || file.name.toLowerCase().includes(q.search.toLowerCase())),
  );
  if (q.sort === 'size') found.sort((a, b) => b.size - a.size);
  if (q.sort === 'status') found.sort((a, b) => a.status.localeCompare(b.status, 'en'));
  return { total: found.length, files: found.slice(q.offset, q.offset + q.limit) };
}
