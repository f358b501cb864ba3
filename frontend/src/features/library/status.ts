// File states: their word, their icon, and which of them a filter shows.
import Ban from '@lucide/svelte/icons/ban';
import CircleCheck from '@lucide/svelte/icons/circle-check';
import CirclePause from '@lucide/svelte/icons/pause';
import Clock from '@lucide/svelte/icons/clock';
import Cloud from '@lucide/svelte/icons/cloud';
import FileArchive from '@lucide/svelte/icons/file-archive';
import FileX from '@lucide/svelte/icons/file-x';
import FolderX from '@lucide/svelte/icons/folder-x';
import KeyRound from '@lucide/svelte/icons/key-round';
import LoaderCircle from '@lucide/svelte/icons/loader-circle';
import Lock from '@lucide/svelte/icons/lock';
import ScanText from '@lucide/svelte/icons/scan-text';
import type { FileRow, FileStatus } from '../../api';
import { m } from '../../paraglide/messages';
import { className } from '../../text/class';
import { number } from '../../text/number';
import { instant, when } from '../../text/time';
import type { IconOf } from '../../ui/Icon.svelte';

export type LedgerFilter = 'all' | 'indexed' | 'progress' | 'attention';

/** The statuses of a filter; none for all. */
export function filterStatuses(filter: LedgerFilter): FileStatus[] {
  const statuses: Record<LedgerFilter, FileStatus[]> = {
    all: [],
    indexed: ['indexed', 'partly_indexed', 'offline'],
    progress: ['waiting', 'indexing'],
    attention: [
      'needs_password',
      'needs_ocr',
      'unsupported',
      'too_large',
      'damaged',
      'timed_out',
      'cloud_only',
      'no_permission',
      'parked',
    ],
  };
  return statuses[filter];
}

export interface StatusLook {
  word: string;
  icon: IconOf;
  tone: 'ok' | 'warn' | 'bad' | 'work' | 'plain';
  /** What a person can most likely do about it. */
  action: 'retry' | 'reveal' | 'unlock' | null;
}

export function statusLook(status: FileStatus): StatusLook {
  switch (status) {
    case 'waiting':
      return { word: m.status_waiting(), icon: Clock, tone: 'plain', action: null };
    case 'indexing':
      return { word: m.status_indexing(), icon: LoaderCircle, tone: 'work', action: null };
    case 'indexed':
      return { word: m.status_indexed(), icon: CircleCheck, tone: 'ok', action: null };
    case 'partly_indexed':
      return { word: m.status_partly_indexed(), icon: CircleCheck, tone: 'warn', action: 'retry' };
    case 'needs_password':
      return { word: m.status_needs_password(), icon: KeyRound, tone: 'warn', action: 'unlock' };
    case 'needs_ocr':
      return { word: m.status_needs_ocr(), icon: ScanText, tone: 'warn', action: 'retry' };
    case 'unsupported':
      return { word: m.status_unsupported(), icon: Ban, tone: 'plain', action: 'reveal' };
    case 'too_large':
      return { word: m.status_too_large(), icon: FileArchive, tone: 'bad', action: 'reveal' };
    case 'damaged':
      return { word: m.status_damaged(), icon: FileX, tone: 'bad', action: 'retry' };
    case 'timed_out':
      return { word: m.status_timed_out(), icon: Clock, tone: 'bad', action: 'retry' };
    case 'cloud_only':
      return { word: m.status_cloud_only(), icon: Cloud, tone: 'warn', action: 'retry' };
    case 'no_permission':
      return { word: m.status_no_permission(), icon: Lock, tone: 'warn', action: 'reveal' };
    case 'parked':
      return { word: m.status_parked(), icon: CirclePause, tone: 'warn', action: 'retry' };
    case 'offline':
      return { word: m.status_offline(), icon: FolderX, tone: 'warn', action: null };
  }
}

/** The line under the state: the reason, or what was indexed and when. */
export function statusDetail(file: FileRow, now = new Date()): string {
  if (file.reason) return file.reason.replace(/\.$/, '');
  if (file.status !== 'indexed' && file.status !== 'partly_indexed') return '';
  const updated = instant(file.updated);
  return [
    file.pages > 0 ? m.pages({ count: file.pages, n: number(file.pages) }) : '',
    file.class ? className(file.class) : '',
    updated ? when(updated, now) : '',
  ]
    .filter(Boolean)
    .join(', ');
}
