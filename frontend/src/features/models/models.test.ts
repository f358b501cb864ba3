import { render, screen } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { MockWindow } from '../../../e2e/mock/window';
import { connect } from '../../api';
import { language } from '../../text/locale.svelte';
import { ModelsModel } from './models.svelte';
import ModelsView from './ModelsView.svelte';

test('roles show what was really loaded', async () => {
  language.choice = 'en';
  const mock = new MockWindow();
  const models = new ModelsModel(connect(mock.host()));
  await models.load();
  render(ModelsView, {
    models,
    status: {
      ...mock.status,
      answer: {
        ...mock.status.answer,
        gpu_layers: 24,
        note: 'Memory ran out while loading; loaded again with 24 of 28 layers.',
      },
    },
  });
  expect(screen.getByText('GPU, 24/28')).toBeTruthy();
  expect(screen.getByText('24 of 28 layers on GPU')).toBeTruthy();
  expect(screen.getByText(/loaded again with 24 of 28 layers/)).toBeTruthy();
  expect(screen.getByText('No model')).toBeTruthy();
});

test('only models on this computer can fill a role', async () => {
  const mock = new MockWindow();
  const models = new ModelsModel(connect(mock.host()));
  await models.load();
  expect(models.candidates('answer').map((c) => c.id)).toEqual(['standard-7b', 'compact-0.6b']);
  await models.use('answer', 'compact-0.6b');
  expect(models.state?.roles[0]?.name).toBe('Compact 0.6B Q4_K_M');
  mock.failures.set('LoadModel', {
    code: 'model_failed',
    message: 'The file is damaged.',
    hint: 'Import it again.',
  });
  await models.use('answer', 'standard-7b');
  expect(models.problem).toBe('The file is damaged. Import it again.');
});

async function open() {
  language.choice = 'en';
  const mock = new MockWindow();
  const models = new ModelsModel(connect(mock.host()));
  await models.load();
  render(ModelsView, { models, status: mock.status });
  return { mock, models, user: userEvent.setup() };
}

test('a download asks for its host, shows how far it is, and ends installed', async () => {
  const { mock, user } = await open();
  await user.click(screen.getByRole('button', { name: 'Download Large 14B Q4_K_M' }));
  expect(await screen.findByText('Connect to models.example:443?')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Connect' }));
  expect(
    await screen.findByText(/Downloading, 4.00 GB of 8.99 GB, 12.0 MB a second, about 7 min left/),
  ).toBeTruthy();
  mock.finishDownload('large-14b');
  expect(await screen.findByRole('button', { name: 'Remove Large 14B Q4_K_M' })).toBeTruthy();
  expect(screen.queryByText(/Downloading/)).toBeNull();
});

test('a no to the host leaves nothing running', async () => {
  const { user } = await open();
  await user.click(screen.getByRole('button', { name: 'Download Large 14B Q4_K_M' }));
  await user.click(await screen.findByRole('button', { name: 'Do not connect' }));
  expect(await screen.findByText('The connection was not allowed, so nothing was downloaded.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Download Large 14B Q4_K_M' })).toBeTruthy();
});

test('a paused download can go on or be thrown away', async () => {
  const { user } = await open();
  await user.click(screen.getByRole('button', { name: 'Download Large 14B Q4_K_M' }));
  await user.click(await screen.findByRole('button', { name: 'Connect' }));
  await user.click(await screen.findByRole('button', { name: 'Pause the download of Large 14B Q4_K_M' }));
  expect(
    await screen.findByRole('button', { name: 'Go on with the download of Large 14B Q4_K_M' }),
  ).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Remove Large 14B Q4_K_M' }));
  await user.click(await screen.findByRole('button', { name: 'Remove' }));
  expect(await screen.findByRole('button', { name: 'Download Large 14B Q4_K_M' })).toBeTruthy();
});

test('a file is imported for a role that the person chooses', async () => {
  const { mock, models, user } = await open();
  mock.picked = ['/home/ada/mine.gguf'];
  await user.click(screen.getByRole('button', { name: 'Import a file' }));
  await user.click(await screen.findByRole('button', { name: 'Answer' }));
  expect(await screen.findByText('It was not compared with anything.')).toBeTruthy();
  expect(models.candidates('answer').map((c) => c.id)).toContain('mine');
});

test('a dropped model file asks for its role only', async () => {
  const { mock, models, user } = await open();
  models.dropped = '/home/ada/dropped.gguf';
  await user.click(await screen.findByRole('button', { name: 'Answer' }));
  expect(await screen.findByText('It was not compared with anything.')).toBeTruthy();
  expect(models.candidates('answer').map((c) => c.name)).toContain('/home/ada/dropped.gguf');
  expect(mock.calls.map((call) => call.method)).not.toContain('PickFiles');
});

test('a role on a server says where texts go', async () => {
  language.choice = 'en';
  const mock = new MockWindow();
  const models = new ModelsModel(connect(mock.host()));
  await models.load();
  const remote = { ...mock.status.answer, remote: 'models.example' };
  render(ModelsView, { models, status: { ...mock.status, answer: remote } });
  expect(screen.getByText('Texts are sent to models.example.')).toBeTruthy();
});
