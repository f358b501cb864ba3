import { render, screen } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { MockWindow } from '../../../e2e/mock/window';
import { connect } from '../../api';
import { language } from '../../text/locale.svelte';
import { Appearance } from '../../ui/appearance.svelte';
import { SettingsPages } from './pages.svelte';
import { profileSentence } from './profiles.svelte';
import { refusal, SettingsModel } from './settings.svelte';
import SettingsView from './SettingsView.svelte';

let mock: MockWindow;
let settings: SettingsModel;
let pages: SettingsPages;
const changed = vi.fn();

beforeEach(async () => {
  mock = new MockWindow();
  const backend = connect(mock.host());
  settings = new SettingsModel(backend, changed);
  pages = new SettingsPages(
    backend,
    () => 'work',
    (all) => settings.take(all),
  );
  await settings.load();
});

const find = (key: string) => {
  const setting = mock.settings.find((s) => s.key === key);
  if (!setting) throw new Error(key);
  return setting;
};

test('engine, failure policy and GPU layers stand in one panel on top, and only there', () => {
  expect(settings.top.map((s) => s.key)).toEqual(['chat.engine', 'condense.on_failure', 'model.gpu_layers']);
  const below = settings.groups.flatMap((g) => g.settings.map((s) => s.key));
  expect(below).not.toContain('chat.engine');
  expect(below.length + 3).toBe(mock.settings.length);
});

test.each([
  ['condense.history', '21', 'The range is 0 to 20.'],
  ['condense.history', '2.5', 'This must be a whole number.'],
  ['condense.history', 'six', 'This is not a number.'],
  ['condense.history', '', 'This is not a number.'],
  ['condense.history', '0', null],
  ['condense.timeout', '0.5', null],
  ['model.gpu_layers', 'auto', null],
  ['model.gpu_layers', 'all', 'This is not a number.'],
  ['chat.engine', 'magic', 'The values are simple, expand, condense_context, blend, research.'],
])('%s = %o is refused with: %s', (key, text, reason) => {
  expect(refusal(find(key), text)).toBe(reason);
});

test('a refused value stays in its field and is not sent', async () => {
  await settings.set('condense.history', '99');
  expect(settings.refused.get('condense.history')).toEqual({ text: '99', reason: 'The range is 0 to 20.' });
  expect(mock.called('SetSetting')).toEqual([]);
  await settings.set('condense.history', '9');
  expect(settings.refused.size).toBe(0);
  expect(mock.called('SetSetting')).toEqual([['condense.history', '9']]);
});

test('a value that the program refuses tells its reason', async () => {
  mock.failures.set('SetSetting', { code: 'invalid_setting', message: 'There is no GPU.', hint: 'Use 0.' });
  await settings.set('model.gpu_layers', '20');
  expect(settings.refused.get('model.gpu_layers')?.reason).toBe('There is no GPU. Use 0.');
});

test('a change is told to the rest of the window', async () => {
  await settings.set('chat.engine', 'simple');
  expect(changed).toHaveBeenLastCalledWith(mock.settings);
});

test('search and the filter of changed settings narrow the list', () => {
  settings.search = 'rewrite time';
  expect(settings.groups.flatMap((g) => g.settings.map((s) => s.key))).toEqual(['condense.timeout']);
  settings.search = '';
  settings.changedOnly = true;
  expect(settings.groups.flatMap((g) => g.settings.map((s) => s.key))).toEqual([
    'chat.engine',
    'condense.history',
    'ingest.chunk_tokens',
  ]);
  expect(settings.changed).toBe(3);
});

test('the view shows every state of a row', async () => {
  const user = userEvent.setup();
  render(SettingsView, { settings, pages, appearance: new Appearance(), answer: mock.status.answer });
  expect(screen.getByText('One stored value was ignored.')).toBeTruthy();
  expect(screen.getByText('28 of 28 layers on GPU')).toBeTruthy();
  expect(screen.getByText('Read-only while the variable is set.')).toBeTruthy();
  expect(
    screen.getByText('Needs a re-index. Search keeps working on the old index. 60 to 600.'),
  ).toBeTruthy();
  expect(screen.getByText('default 6')).toBeTruthy();

  await user.click(screen.getByRole('button', { name: 'Reset Messages used for the rewrite' }));
  expect(mock.called('ResetSetting')).toEqual([['condense.history']]);
  await user.click(screen.getByRole('switch', { name: 'Rewrite follow-ups' }));
  expect(mock.called('SetSetting')).toEqual([['condense.enabled', 'false']]);
  const field = screen.getByRole('textbox', { name: 'Passages' });
  await user.clear(field);
  await user.type(field, '500{Tab}');
  expect((await screen.findByRole('alert')).textContent).toBe(
    'The range is 1 to 50. The value was not saved.',
  );
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByText('One stored value was ignored.')).toBeNull();
});

test('theme and language are the window’s own and switch at once', async () => {
  const user = userEvent.setup();
  const appearance = new Appearance();
  render(SettingsView, { settings, pages, appearance, answer: null });
  await user.click(screen.getByRole('radio', { name: 'Dark' }));
  expect(appearance.shown).toBe('dark');
  await user.click(screen.getByRole('radio', { name: 'Italiano' }));
  expect(screen.getByRole('heading', { name: 'Aspetto e lingua' })).toBeTruthy();
  appearance.setLanguage('system');
  appearance.setTheme('system');
});

test('the settings speak the language of the window, also after a switch', () => {
  const row = () => settings.all.find((s) => s.key === 'condense.timeout');
  const english = row();
  language.choice = 'it';
  expect(row()).toMatchObject({ label: 'Tempo massimo di una riscrittura', value: english?.value });
  language.choice = 'en';
  expect(row()).toEqual(english);
});

test('the careful profile promises what it sets: only the own words are searched', () => {
  expect(profileSentence('careful')).toMatch(/only your words are searched\.$/);
  language.choice = 'it';
  expect(profileSentence('careful')).toMatch(/si cercano solo le tue parole\.$/);
});
