import { render, screen, within } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { noTransfer } from '../../../e2e/mock/roles';
import { MockWindow } from '../../../e2e/mock/window';
import { connect } from '../../api';
import { language } from '../../text/locale.svelte';
import { ModelsModel } from './models.svelte';
import ModelsView from './ModelsView.svelte';
import { sourcesOf } from './runtimes.svelte';

async function open(tag: 'en' | 'it' = 'en') {
  language.choice = tag;
  const mock = new MockWindow();
  const models = new ModelsModel(connect(mock.host()), (settings) => (mock.settings = settings));
  await models.load();
  render(ModelsView, { models, status: mock.status, settings: mock.settings });
  await screen.findByText('CUDA');
  return { mock, models, user: userEvent.setup() };
}

test('what models run on is listed with what is used and what can be installed', async () => {
  const { user } = await open();
  const section = within(screen.getByRole('region', { name: 'What models run on' }));
  expect(section.getByText('in use')).toBeTruthy();
  expect(section.getByText('installed')).toBeTruthy();
  expect(section.getByText('not installed')).toBeTruthy();
  await user.click(section.getByRole('button', { name: 'Check Vulkan' }));
  expect(await section.findByText('A small model ran on it and computed what it must.')).toBeTruthy();
});

test('a pack is installed from files only after its licence is accepted', async () => {
  const { mock, user } = await open();
  mock.picked = ['/home/ada/plug-in.tgz', '/home/ada/numbers.whl'];
  await user.click(screen.getByRole('button', { name: 'Install CUDA' }));
  expect(await screen.findByText(/libraries of NVIDIA/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Choose files' })).toHaveProperty('disabled', true);
  await user.click(screen.getByRole('checkbox', { name: 'I have read this and accept it.' }));
  await user.click(screen.getByRole('button', { name: 'Choose files' }));
  expect(await screen.findByText(/^CUDA is installed/)).toBeTruthy();
  const request = { name: 'cuda', archives: mock.picked, accept: true, anyway: false };
  expect(mock.called('InstallRuntime')[0]?.[1]).toEqual(request);
  await user.click(screen.getByRole('button', { name: 'Remove CUDA' }));
  await user.click(await screen.findByRole('button', { name: 'Remove' }));
  expect(await screen.findByText('CUDA is removed.')).toBeTruthy();
});

test('a pack that lacks its driver is installed only where that is wanted, and is not said to have run', async () => {
  const { mock, models, user } = await open();
  const lacks = 'No driver of NVIDIA was found on this computer.';
  mock.runtimes = mock.runtimes.map((r) => (r.name === 'cuda' ? { ...r, lacks } : r));
  await models.runtimes.load();
  mock.picked = ['/home/ada/plug-in.tgz'];
  await user.click(screen.getByRole('button', { name: 'Install CUDA' }));
  expect(await screen.findByText(lacks)).toBeTruthy();
  await user.click(screen.getByRole('checkbox', { name: 'I have read this and accept it.' }));
  expect(screen.getByRole('button', { name: 'Choose files' })).toHaveProperty('disabled', true);
  expect(screen.getByRole('button', { name: /^Download 589/ })).toHaveProperty('disabled', true);
  await user.click(screen.getByRole('checkbox', { name: 'Install it all the same, without trying it.' }));
  await user.click(screen.getByRole('button', { name: 'Choose files' }));
  expect(await screen.findByText(/^CUDA is installed.*it was not tried. No driver of NVIDIA/)).toBeTruthy();
  expect(mock.called('InstallRuntime')[0]?.[1]).toMatchObject({ accept: true, anyway: true });
});

test('an installation from files tells its rate and what is left', async () => {
  const { mock } = await open();
  mock.emit('transfer', {
    ...noTransfer,
    id: 'runtime-cuda',
    state: 'copying',
    done: 2e8,
    total: 7.7e8,
    rate: 1e8,
    remaining_seconds: 240,
  });
  expect(
    await screen.findByText(/Copying, 200.0 MB of 770.0 MB, 100.0 MB a second, about 4 min left/),
  ).toBeTruthy();
});

test('a licence that was accepted and then cancelled is asked for again', async () => {
  const { user } = await open();
  await user.click(screen.getByRole('button', { name: 'Install CUDA' }));
  await user.click(await screen.findByRole('checkbox'));
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await user.click(screen.getByRole('button', { name: 'Install CUDA' }));
  expect(await screen.findByRole('checkbox')).toHaveProperty('checked', false);
  expect(screen.getByRole('button', { name: 'Choose files' })).toHaveProperty('disabled', true);
});

test('archives that fall on the window ask for the licence and no files', async () => {
  const { mock, models, user } = await open();
  models.runtimes.dropped = ['/home/ada/plug-in.tgz'];
  await user.click(await screen.findByRole('checkbox'));
  await user.click(screen.getByRole('button', { name: 'Install the dropped files' }));
  expect(await screen.findByText(/^CUDA is installed/)).toBeTruthy();
  expect(mock.called('PickFiles')).toEqual([]);
});

test('archives dropped while something else is under way are not taken, and the panel says so', async () => {
  const { mock, models, user } = await open();
  await user.click(screen.getByRole('button', { name: 'Install CUDA' }));
  await user.click(await screen.findByRole('checkbox'));
  await user.click(screen.getByRole('button', { name: /^Download 589/ }));
  expect(await screen.findByText(/To download the CUDA pack/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Connect' }));
  await models.runtimes.drop(['/home/ada/plug-in.tgz']);
  expect(await screen.findByText(/something else is under way here/)).toBeTruthy();
  expect(screen.queryByRole('dialog', { name: 'Install CUDA?' })).toBeNull();
  expect(models.runtimes.dropped).toEqual([]);
  models.runtimes.dropped = ['/home/ada/plug-in.tgz'];
  await models.runtimes.install('cuda', false);
  expect(models.runtimes.problem).toMatch(/^The dropped archives were not taken/);
  expect(mock.called('InstallRuntime')).toEqual([]);
});

test('archives for which there is no pack to install are not taken, and the panel says so', async () => {
  const { models } = await open('it');
  await models.runtimes.install('cuda', false);
  await models.runtimes.drop(['/home/ada/plug-in.tgz']);
  expect(await screen.findByText(/non c’è nessun pacchetto da installare/)).toBeTruthy();
  expect(models.runtimes.dropped).toEqual([]);
});

test('an installation from files is stopped and not paused', async () => {
  const { mock, models, user } = await open();
  let end: (cause: unknown) => void = () => undefined;
  vi.spyOn(mock, 'InstallRuntime').mockImplementation(
    () => new Promise((_, reject) => (end = reject)) as never,
  );
  vi.spyOn(mock, 'Stop').mockImplementation(() => end({ code: 'cancelled', message: 'It was stopped.' }));
  models.runtimes.dropped = ['/home/ada/plug-in.tgz'];
  const installing = models.runtimes.install('cuda', false);
  for (const state of ['copying', 'verifying', 'testing']) {
    mock.emit('transfer', { ...noTransfer, id: 'runtime-cuda', state });
    expect(await screen.findByRole('button', { name: 'Stop the installation of CUDA' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Pause/ })).toBeNull();
  }
  await user.click(screen.getByRole('button', { name: 'Stop the installation of CUDA' }));
  await installing;
  expect(mock.called('Stop')).toEqual([[mock.called('InstallRuntime')[0]?.[0]]]);
  expect(models.runtimes.problem).toBeNull();
  expect(await screen.findByRole('button', { name: 'Install CUDA' })).toHaveProperty('disabled', false);
});

test('a download asks for its host, pauses, and goes on', async () => {
  const { mock, user } = await open();
  await user.click(screen.getByRole('button', { name: 'Install CUDA' }));
  await user.click(await screen.findByRole('checkbox'));
  await user.click(screen.getByRole('button', { name: /^Download 589/ }));
  expect(await screen.findByText(/To download the CUDA pack/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Connect' }));
  await user.click(await screen.findByRole('button', { name: 'Pause the download of CUDA' }));
  await user.click(await screen.findByRole('button', { name: 'Go on with the download of CUDA' }));
  await user.click(await screen.findByRole('checkbox'));
  await user.click(screen.getByRole('button', { name: /^Download 589/ }));
  await user.click(await screen.findByRole('button', { name: 'Connect' }));
  mock.finishRuntime('cuda');
  expect(await screen.findByText(/^CUDA is installed/)).toBeTruthy();
});

test('addresses of a person’s own go with their checksums', async () => {
  const { mock, user } = await open();
  await user.click(screen.getByRole('button', { name: 'Install CUDA' }));
  await user.click(await screen.findByRole('checkbox'));
  await user.click(screen.getByText('From addresses of your own'));
  await user.type(
    screen.getByRole('textbox', { name: 'Addresses' }),
    'https://a.example/x.whl 12{Enter}https://b.example/y.tgz',
  );
  await user.click(screen.getByRole('button', { name: 'Download from there' }));
  expect(mock.called('PullRuntime')[0]?.[0]).toEqual({
    name: 'cuda',
    from: [
      { url: 'https://a.example/x.whl', sha256: '12', bytes: 0 },
      { url: 'https://b.example/y.tgz', sha256: '', bytes: 0 },
    ],
    accept: true,
    anyway: false,
  });
  expect(sourcesOf('\n  \n')).toEqual([]);
});

test('a failure is a sentence, and what can be chosen can be taken back', async () => {
  const { mock, models } = await open();
  mock.failures.set('SetSetting', {
    code: 'not_available',
    message: 'The libraries “vulkan” cannot be used on this computer: no graphics processor was found.',
    hint: 'What was in use before stays in use.',
  });
  await models.runtimes.choose('vulkan', 'auto');
  expect(await screen.findByText(/no graphics processor was found.*stays in use/)).toBeTruthy();
  expect(models.runtimes.before).toBeNull();
  mock.failures.clear();
  await models.runtimes.choose('cpu', 'vulkan');
  expect(await screen.findByRole('button', { name: 'Go back to Vulkan' })).toBeTruthy();
});

test('the panel speaks Italian', async () => {
  await open('it');
  expect(screen.getByRole('region', { name: 'Su che cosa girano i modelli' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Installa CUDA' })).toBeTruthy();
});

test('a model that was put aside can be loaded again', async () => {
  const mock = new MockWindow();
  const models = new ModelsModel(connect(mock.host()));
  await models.load();
  const answer = { ...mock.status.answer, state: 'failed' as const, note: 'It was put aside.' };
  render(ModelsView, { models, status: { ...mock.status, answer }, settings: mock.settings });
  expect(screen.getByText('It was put aside.')).toBeTruthy();
  await userEvent.setup().click(screen.getByRole('button', { name: 'Load the Answer model again' }));
  expect(mock.called('LoadModel')).toEqual([['answer', 'standard-7b']]);
});
