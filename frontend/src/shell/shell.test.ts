import { render, screen, waitFor } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, test } from 'vitest';
import { MockWindow, type MockOptions } from '../../e2e/mock/window';
import { connect } from '../api';
import { currentStep, isFirstStart } from '../features/start/steps';
import { language } from '../text/locale.svelte';
import { matches } from '../ui/keys';
import { commands, type Command, type Commanded } from './commands';
import { Layout } from './layout.svelte';
import Shell from './Shell.svelte';
import { indexText, layersText, modelText, outboundText, speedText } from './strip';

afterEach(() => {
  language.choice = 'system';
});
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

function open(options: MockOptions = {}) {
  const mock = new MockWindow(options);
  render(Shell, { backend: connect(mock.host()) });
  return { mock, user: userEvent.setup() };
}

test('the window tells the program that it is there, and shows the strip', async () => {
  const { mock } = open();
  expect(await screen.findByText(/Answer: Standard 7B/)).toBeTruthy();
  expect(plain(screen.getByRole('contentinfo').textContent ?? '')).toContain('0 outbound connections');
  expect(mock.called('WindowReady')).toHaveLength(1);
});

test('views change by key', async () => {
  const { user } = open();
  await user.keyboard('{Control>}2{/Control}');
  expect(await screen.findByRole('grid', { name: 'Files' })).toBeTruthy();
  await user.keyboard('{Control>}4{/Control}');
  expect(screen.getByRole('button', { name: 'Lab' }).getAttribute('aria-current')).toBe('page');
  await user.keyboard('{F1}');
  expect(await screen.findByRole('dialog', { name: 'Keyboard' })).toBeTruthy();
});

test('dropped files are added from any view', async () => {
  const { mock } = open();
  mock.drop('/home/ada/a b.pdf', '/home/ada/ü.pdf');
  await waitFor(() => expect(mock.called('Add')[0]?.[0]).toEqual(['/home/ada/a b.pdf', '/home/ada/ü.pdf']));
});

test('a dropped model goes to Models, what came with it to the library', async () => {
  const { mock } = open();
  mock.drop('/home/ada/mine.GGUF', '/home/ada/a.pdf');
  expect(await screen.findByRole('dialog', { name: 'Which role does the model play?' })).toBeTruthy();
  await waitFor(() => expect(mock.called('Add')[0]?.[0]).toEqual(['/home/ada/a.pdf']));
});

test('dropped archives of a pack go to Models and ask for its licence', async () => {
  const { mock } = open();
  mock.drop('/home/ada/plug-in.tgz', '/home/ada/numbers.WHL', '/home/ada/a.pdf');
  expect(await screen.findByRole('dialog', { name: 'Install CUDA?' })).toBeTruthy();
  await waitFor(() => expect(mock.called('Add')[0]?.[0]).toEqual(['/home/ada/a.pdf']));
});

test('a search model that waits for its index is told in Models, as soon as it is chosen', async () => {
  const { mock, user } = open();
  await screen.findByText(/Answer: Standard 7B/);
  await user.keyboard('{Control>}3{/Control}');
  expect(await screen.findByRole('heading', { name: 'Roles' })).toBeTruthy();
  expect(screen.queryByText(/is not in use yet/)).toBeNull();
  mock.LoadModel('embed', 'compact-0.6b');
  mock.embedPlan = {
    ...mock.embedPlan,
    to: 'Compact 0.6B',
    passages: 48_310,
    sentence: 'Multilingual E5 small answers until then.',
  };
  await user.click(screen.getByRole('button', { name: 'Refresh' }));
  expect(await screen.findByText(/The search model Compact 0.6B is not in use yet/)).toBeTruthy();
  expect(screen.getByText(/Multilingual E5 small answers until then/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Build its index…' }));
  expect(await screen.findByRole('dialog', { name: 'Build a new search index' })).toBeTruthy();
});

test('a start for an action goes to its view and does it', async () => {
  const { mock } = open();
  await screen.findByText(/Answer: Standard 7B/);
  mock.emit('open_action', 'add_files');
  expect(await screen.findByRole('grid', { name: 'Files' })).toBeTruthy();
  await waitFor(() => expect(mock.called('PickFiles')).toHaveLength(1));
  mock.emit('open_action', 'new_chat');
  await waitFor(() => expect(screen.queryByRole('grid', { name: 'Files' })).toBeNull());
});

test('the first start leads through three steps, once', async () => {
  const { user, mock } = open({ empty: true });
  expect(await screen.findByRole('heading', { name: 'Ask your own documents' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Open chat' }).hasAttribute('disabled')).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Add folder' }));
  expect(mock.called('Add')).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: 'Skip set-up' }));
  expect(screen.getByRole('navigation', { name: 'Views' })).toBeTruthy();
  expect(localStorage.getItem('referent.start.done')).toBe('true');
});

test('a notice of the program is shown until it is dismissed', async () => {
  const { user, mock } = open();
  mock.emit('status', {
    ...mock.status,
    notices: [{ kind: 'warn', sentence: 'The model stopped and was restarted.' }],
  });
  expect(await screen.findByText('The model stopped and was restarted.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByText('The model stopped and was restarted.')).toBeNull();
});

describe('columns follow the width', () => {
  test.each([
    [1280, false, false, true],
    [1199, true, false, true],
    [999, true, true, false],
  ])('%d px: rail %s, drawer %s, evidence open %s', (width, rail, drawer, evidence) => {
    const layout = new Layout();
    layout.resize(width, 832);
    expect([layout.rail, layout.drawer, layout.evidenceOpen]).toEqual([rail, drawer, evidence]);
  });
  test('a choice holds until the width crosses a limit', () => {
    const layout = new Layout();
    layout.toggleSidebar();
    expect(layout.rail).toBe(true);
    layout.resize(1100, 832);
    layout.resize(1280, 832);
    expect(layout.rail).toBe(false);
  });
  test('an open reader takes the sidebar, closing gives it back', () => {
    const layout = new Layout();
    layout.readerOpen = true;
    expect(layout.rail).toBe(true);
    layout.readerOpen = false;
    expect(layout.rail).toBe(false);
  });
});

test('the strip says what was really loaded', () => {
  const { status, library } = new MockWindow();
  expect(modelText(status)).toBe('Answer: Standard 7B Q4_K_M');
  expect(plain(modelText({ ...status, answer: { ...status.answer, state: 'loading', loading: 0.4 } }))).toBe(
    'Answer: Standard 7B Q4_K_M, loading 40 %',
  );
  expect(modelText(null)).toBe('Answer: no model yet');
  expect(layersText(status)).toBe('28/28 layers on GPU (Vulkan)');
  expect(layersText({ ...status, answer: { ...status.answer, gpu_layers: 0 } })).toBe(
    '0/28 layers on GPU, runs on the CPU',
  );
  expect(plain(speedText(status, false))).toBe('41.8 tokens/s');
  expect(speedText({ ...status, tokens_per_second: 0 }, false)).toBe('idle');
  expect(plain(indexText(status, library.progress))).toBe('Index up to date, 3,061 files');
  expect(indexText(status, { ...library.progress, done: 1112, total: 1204 })).toBe(
    'Indexing 1,112 of 1,204 files',
  );
  expect(plain(outboundText({ ...status, outbound: 1 }))).toBe('1 outbound connection');
});

test('the steps of the first start', () => {
  const empty = new MockWindow({ empty: true });
  const full = new MockWindow();
  expect(currentStep(empty.models, empty.library, 0)).toBe(1);
  expect(currentStep(full.models, empty.library, 0)).toBe(2);
  expect(currentStep(full.models, full.library, 12)).toBe(3);
  expect(isFirstStart(empty.library, 0)).toBe(true);
  expect(isFirstStart(empty.library, 1)).toBe(false);
});

test('shortcuts are told apart by their modifiers', () => {
  const press = (init: KeyboardEventInit) => new KeyboardEvent('keydown', init);
  expect(matches(press({ key: 'k', ctrlKey: true }), 'Ctrl K')).toBe(true);
  expect(matches(press({ key: 'k' }), 'Ctrl K')).toBe(false);
  expect(matches(press({ key: 'k', ctrlKey: true, altKey: true }), 'Ctrl K')).toBe(false);
  expect(matches(press({ key: 'é', code: 'KeyE', altKey: true }), 'Alt E')).toBe(true);
  expect(matches(press({ key: 'ArrowUp', altKey: true }), 'Alt Up')).toBe(true);
});

test('the palette finds a command by its words and runs it', async () => {
  const { user, mock } = open();
  await screen.findByText(/Answer: Standard 7B/);
  await user.keyboard('{Control>}{Shift>}p{/Shift}{/Control}');
  const field = await screen.findByRole('combobox', { name: 'Commands' });
  expect(document.activeElement).toBe(field);
  expect(plain(screen.getByRole('option', { name: /New conversation/ }).textContent ?? '')).toContain(
    'Ctrl N',
  );
  await user.keyboard('outbound conn{Enter}');
  expect(await screen.findByRole('dialog', { name: 'Activity' })).toBeTruthy();
  await waitFor(() => expect(mock.called('Connections')).toHaveLength(1));
});

test('the count of connections opens their list', async () => {
  const { user } = open();
  await screen.findByText(/Answer: Standard 7B/);
  await user.click(screen.getByRole('button', { name: /0.outbound connections/ }));
  expect(await screen.findByText('Nothing was connected to.')).toBeTruthy();
});

test('commands name themselves once, and offer what can be done now', () => {
  const nothing = () => undefined;
  const to: Commanded = {
    go: nothing,
    newChat: nothing,
    findConversation: nothing,
    conversation: null,
    stop: null,
    addFolder: nothing,
    addFiles: nothing,
    paused: false,
    pause: nothing,
    sidebar: nothing,
    evidence: nothing,
    settings: nothing,
    activity: nothing,
    theme: nothing,
    keys: nothing,
  };
  const labels = (list: Command[]) => list.map((command) => command.label);
  const few = labels(commands(to));
  expect(new Set(few).size).toBe(few.length);
  expect(few).not.toContain('Stop the answer');
  expect(few).not.toContain('Export as Markdown');
  const all = labels(commands({ ...to, stop: nothing, conversation: { export: nothing }, paused: true }));
  expect(all).toEqual(expect.arrayContaining(['Stop the answer', 'Export as JSON', 'Resume indexing']));
});
