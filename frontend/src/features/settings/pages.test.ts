import { render, screen, within } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { MockWindow } from '../../../e2e/mock/window';
import { connect } from '../../api';
import { language } from '../../text/locale.svelte';
import { Appearance } from '../../ui/appearance.svelte';
import { type SettingsPage, SettingsPages } from './pages.svelte';
import { SettingsModel } from './settings.svelte';
import SettingsSidebar from './SettingsSidebar.svelte';
import SettingsView from './SettingsView.svelte';

async function open(page: SettingsPage, change: (mock: MockWindow) => void = () => undefined) {
  const mock = new MockWindow();
  change(mock);
  const backend = connect(mock.host());
  const settings = new SettingsModel(backend, () => undefined);
  let next = 0;
  const pages = new SettingsPages(
    backend,
    () => `work ${++next}`,
    (all) => settings.take(all),
  );
  pages.shown = page;
  await settings.load();
  const user = userEvent.setup();
  render(SettingsView, { settings, pages, appearance: new Appearance(), answer: mock.status.answer });
  return { mock, settings, pages, user };
}
const rows = (caption: string) =>
  within(screen.getByRole('table', { name: caption }))
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent?.replaceAll('\u00a0', ' ').trim()),
    );
const call = (client: string, status = 200, code: string | null = null) => ({
  at: '2020-01-02T10:00:00Z',
  client,
  via: 'openai',
  route: 'POST /v1/chat/completions',
  status,
  code,
  documents: status < 400 ? [3, 4] : [],
  passages: status < 400 ? 5 : 0,
  duration_ms: 1200,
});

test('the pages stand in the sidebar beside the groups', async () => {
  const { settings, pages, user } = await open('settings');
  const onactivity = vi.fn();
  render(SettingsSidebar, { settings, pages, ongroup: () => undefined, onactivity });
  await user.click(screen.getByRole('button', { name: 'Privacy' }));
  expect(pages.shown).toBe('privacy');
  expect(screen.getByRole('heading', { name: 'Settings: Privacy' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Activity' }));
  expect(onactivity).toHaveBeenCalledOnce();
});

test('other programs are let in by a switch, and it says where they are answered', async () => {
  const { mock, user } = await open('programs');
  expect(await screen.findByText('Off. No program is answered by this window.')).toBeTruthy();
  expect(screen.getByText('No other program asked for anything.')).toBeTruthy();
  await user.click(screen.getByRole('switch', { name: 'Let other programs ask' }));
  expect(mock.called('SetSetting')).toEqual([['api.enabled', 'true']]);
  mock.emit('status', mock.status);
  expect(await screen.findByText('Programs are answered at 127.0.0.1:7337.')).toBeTruthy();
});

test('a place that is taken is a sentence', async () => {
  await open('programs', (mock) => {
    mock.SetSetting('api.enabled', 'true');
    mock.serving = { ...mock.serving, problem: 'Other programs cannot be answered at 127.0.0.1:7337.' };
  });
  expect((await screen.findByRole('alert')).textContent).toContain(
    'Other programs cannot be answered at 127.0.0.1:7337.',
  );
});

test('the token is hidden until it is asked for, copied, and renewed after a question', async () => {
  const { mock, user } = await open('programs');
  const token = mock.serving.token;
  await screen.findByRole('button', { name: 'Show' });
  expect(screen.queryByText(token)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Copy' }));
  expect(await navigator.clipboard.readText()).toBe(token);
  await user.click(screen.getByRole('button', { name: 'Show' }));
  expect(screen.getByText(token)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'New token' }));
  expect(mock.called('RotateToken')).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Make a new token' }));
  expect(await screen.findByText(/Programs with the old one are refused/)).toBeTruthy();
  expect(screen.queryByText(token)).toBeNull();
  expect(mock.called('RotateToken')).toHaveLength(1);
});

test('who asked and what was given is told in numbers and words', async () => {
  await open('programs', (mock) => {
    mock.programs = [call('notes'), call('notes'), call('', 401, 'unauthorized')];
  });
  await screen.findByRole('table', { name: 'Programs that asked' });
  expect(rows('Programs that asked').map((cells) => cells.slice(0, 5))).toEqual([
    ['notes (OpenAI-compatible)', '2', '0', '10', '4'],
    ['OpenAI-compatible', '1', '1', '0', '0'],
  ]);
  expect(rows('Calls').map((cells) => cells.slice(1))).toEqual([
    ['notes (OpenAI-compatible)', 'POST /v1/chat/completions', 'answered', '5', '2', '1.20 s'],
    ['notes (OpenAI-compatible)', 'POST /v1/chat/completions', 'answered', '5', '2', '1.20 s'],
    ['OpenAI-compatible', 'POST /v1/chat/completions', 'refused, no valid token', '0', '0', '1.20 s'],
  ]);
});

test('privacy says what may connect, and that nothing did', async () => {
  await open('privacy');
  expect(await screen.findByText('None so far. Nothing has left this computer.')).toBeTruthy();
  expect(screen.getByText('Models: all on this computer. No server is set.')).toBeTruthy();
});

test('every connection is listed by its purpose', async () => {
  await open('privacy', (mock) => {
    mock.connections = [
      {
        purpose: 'download',
        host: 'a.example:443',
        started: '2020-01-02T10:00:00Z',
        ended: null,
        sent: 9,
        received: 99,
      },
    ];
  });
  await screen.findByRole('table', { name: 'Every connection so far' });
  expect(rows('Every connection so far')).toEqual([
    ['Open now', 'model download', 'a.example:443', '9 B', '99 B'],
  ]);
});

test('a profile shows what it changes before it does', async () => {
  const { mock, user } = await open('settings');
  await user.click(await screen.findByRole('radio', { name: 'Careful' }));
  const group = screen.getByRole('group', { name: 'What this profile changes' });
  expect(group.textContent).toContain('Answer mode generate → strict');
  expect(mock.called('UseProfile')).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Use Careful' }));
  expect(mock.called('UseProfile')).toEqual([['careful']]);
  expect(mock.settings.find((s) => s.key === 'chat.mode')?.value).toBe('strict');
  expect(screen.queryByRole('group', { name: 'What this profile changes' })).toBeNull();
});

test('what the layers take is told beside them, and follows a change', async () => {
  const { mock, user } = await open('settings');
  expect((await screen.findByRole('img')).getAttribute('aria-label')?.replaceAll('\u00a0', ' ')).toBe(
    'Answer model 4.90 GB, Other models 420.0 MB, Free 1.88 GB',
  );
  const asked = mock.called('FitModels').length;
  const field = screen.getByRole('textbox', { name: 'GPU layers' });
  await user.clear(field);
  await user.type(field, '20{Tab}');
  await vi.waitFor(() => expect(mock.called('FitModels').length).toBeGreaterThan(asked));
});

test('the size is shown, a backup tells where it is, and a failure what happened', async () => {
  const { mock, user } = await open('data');
  await screen.findByRole('table', { name: 'Size on disk' });
  expect(rows('Size on disk')[0]?.slice(0, 2)).toEqual(['Library', '1.24 GB']);
  await user.click(screen.getByRole('button', { name: 'Back up now' }));
  expect(await screen.findByText(/^The backup is in .home.ada/)).toBeTruthy();
  mock.failures.set('Backup', {
    code: 'storage_failed',
    message: 'The disk is full.',
    hint: 'Free some space.',
  });
  await user.click(screen.getByRole('button', { name: 'Back up now' }));
  expect((await screen.findByRole('alert')).textContent).toContain('The disk is full. Free some space.');
});

test('a restore tells its dangers first, and happens at the next start', async () => {
  const { mock, user } = await open('data');
  await user.click(await screen.findByRole('button', { name: 'Restore a backup' }));
  expect(screen.getByText(/are replaced by those of the backup/)).toBeTruthy();
  expect(mock.called('PickBackup')).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Choose the backup' }));
  expect(await screen.findByText(/That is off after the restore/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Restart now' }));
  expect(mock.called('Restart')).toHaveLength(1);
});

test('the index is checked, repaired, and built anew until it is stopped', async () => {
  const { mock, user } = await open('data', (m) => {
    m.report = { problems: ['3 documents are not in the search index.'], repaired: false };
  });
  await user.click(await screen.findByRole('button', { name: 'Check it' }));
  expect(await screen.findByText('3 documents are not in the search index.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Check and repair' }));
  expect(await screen.findByText('The search index was built anew, and all is well.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Build anew' }));
  expect((await screen.findByRole('progressbar')).getAttribute('aria-valuenow')).toBe('39');
  await user.click(screen.getByRole('button', { name: 'Stop' }));
  expect(await screen.findByText('Stopped. Nothing was lost.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Build anew' }));
  await screen.findByRole('progressbar');
  mock.finishRebuild();
  expect(await screen.findByText('The search index was built anew.')).toBeTruthy();
});

test('diagnostics are saved where the person wants them', async () => {
  const { user } = await open('data');
  await user.click(await screen.findByRole('button', { name: 'Save diagnostics' }));
  expect(await screen.findByText(/^The diagnostics are in/)).toBeTruthy();
});

test('every page speaks Italian', async () => {
  for (const page of ['programs', 'privacy', 'data'] as const) {
    const { mock } = await open(page);
    await vi.waitFor(() => expect(mock.calls.length).toBeGreaterThan(1));
  }
  language.choice = 'it';
  expect(await screen.findByText('Nessuna finora. Nulla ha lasciato questo computer.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Crea la copia' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Nuovo token' })).toBeTruthy();
});
