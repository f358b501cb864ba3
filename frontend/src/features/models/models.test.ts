import { fireEvent, render, screen, waitFor } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { MockWindow } from '../../../e2e/mock/window';
import { connect } from '../../api';
import { listed } from './catalogue';
import { ModelsModel } from './models.svelte';
import ModelsView from './ModelsView.svelte';

test('roles show what was really loaded', async () => {
  const mock = new MockWindow();
  const models = new ModelsModel(connect(mock.host()));
  await models.load();
  render(ModelsView, {
    models,
    settings: mock.settings,
    status: {
      ...mock.status,
      answer: {
        ...mock.status.answer,
        gpu_layers: 24,
        bytes: 1_900_000_000,
        note: 'Memory ran out while loading; loaded again with 24 of 28 layers.',
      },
    },
  });
  expect(screen.getByText('GPU, 24/28')).toBeTruthy();
  expect(screen.getByText('1.90 GB')).toBeTruthy();
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
  const mock = new MockWindow();
  const models = new ModelsModel(connect(mock.host()));
  await models.load();
  render(ModelsView, { models, status: mock.status, settings: mock.settings });
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
  const mock = new MockWindow();
  const models = new ModelsModel(connect(mock.host()));
  await models.load();
  const remote = { ...mock.status.answer, remote: 'models.example' };
  render(ModelsView, { models, status: { ...mock.status, answer: remote }, settings: mock.settings });
  expect(screen.getByText('Texts are sent to models.example.')).toBeTruthy();
});

test('the catalogue is searched, narrowed to a role, and sorted by what runs best here', () => {
  const of = (id: string, kind: 'gpu' | 'split' | 'cpu' | 'too_large', size: number, role = 'answer') => ({
    id,
    name: id,
    roles: [role],
    size_bytes: size,
    licence: 'MIT',
    installed: false,
    fits: null,
    class: kind,
    downloadable: true,
    host: null,
    proof: null,
    own: false,
    transfer: null,
  });
  const all = [of('d', 'too_large', 9), of('a', 'cpu', 5), of('c', 'gpu', 1), of('b', 'gpu', 3, 'embed')];
  const ids = (...rest: ['' | string, string, 'fits' | 'name' | 'size']) =>
    listed(all, ...rest).map((entry) => entry.id);
  expect(ids('', '', 'fits')).toEqual(['b', 'c', 'a', 'd']);
  expect(ids('', '', 'name')).toEqual(['a', 'b', 'c', 'd']);
  expect(ids('', '', 'size')).toEqual(['c', 'b', 'a', 'd']);
  expect(ids('mit EMBED', '', 'fits')).toEqual(['b']);
  expect(ids('', 'answer', 'fits')).toEqual(['c', 'a', 'd']);
  expect(ids('nothing', '', 'fits')).toEqual([]);
});

test('layers are tried on paper, and loaded only when asked', async () => {
  const { mock, user } = await open();
  const slider = await screen.findByRole('slider', { name: 'Layers on the GPU' });
  expect(slider.getAttribute('aria-valuetext')).toBe('28 of 28');
  await fireEvent.input(slider, { target: { value: '7' } });
  expect(mock.called('FitModels').at(-1)).toEqual([{ gpus: null, models: null, layers: 7 }]);
  expect(await screen.findByText('1.15 GB')).toBeTruthy();
  expect(mock.called('SetSetting')).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Load like this' }));
  expect(mock.called('SetSetting')).toEqual([['model.gpu_layers', '7']]);
  expect(mock.called('LoadModel')).toEqual([['answer', 'standard-7b']]);
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Load like this' })).toBeNull());
});

test('what does not fit is not loaded, and what is given up is said', async () => {
  const { mock, user } = await open();
  mock.fit = { ...mock.fit, over: true, given_up: ['The reranker runs on the processor.'] };
  await user.click(await screen.findByRole('switch', { name: 'As many as fit' }));
  expect(await screen.findByText('The reranker runs on the processor.')).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Load like this' }).disabled).toBe(true);
});

test('a test of the model tells its speed and the share of the memory', async () => {
  const { mock, user } = await open();
  mock.speed = { role: 'answer', tokens: 48, decode: 9.5, prefill: 60, reached: 9e9, memory: 12e9 };
  await user.click(screen.getByRole('button', { name: 'Test the answer model' }));
  expect((await screen.findByText('75 %: 9.00 GB of 12.00 GB a second')).textContent).toBeTruthy();
  mock.failures.set('TestModel', { code: 'no_model', message: 'No model.', hint: 'Choose one.' });
  await user.click(screen.getByRole('button', { name: 'Test the answer model' }));
  expect((await screen.findByRole('alert')).textContent).toBe('No model. Choose one.');
});

test('a server is set in a dialog that says what is sent, and refused with a sentence', async () => {
  const { mock, user } = await open();
  expect(screen.getAllByText('on this computer')).toHaveLength(4);
  await user.click(screen.getByRole('button', { name: 'Set a server for Embed' }));
  expect(screen.getByText(/the text of all documents that are not restricted are sent/)).toBeTruthy();
  await user.type(screen.getByLabelText('Address'), 'http://far.example/v1');
  mock.failures.set('SetRemote', { code: 'invalid_setting', message: 'This would be an open connection.' });
  await user.click(screen.getByRole('button', { name: 'Send to this server' }));
  expect((await screen.findAllByRole('alert')).at(-1)?.textContent).toBe('This would be an open connection.');
  mock.failures.clear();
  await user.click(screen.getByRole('button', { name: 'Send to this server' }));
  await waitFor(() => expect(screen.queryByLabelText('Address')).toBeNull());
  expect(mock.called('SetRemote').at(-1)).toEqual([
    { role: 'embed', url: 'http://far.example/v1', model: '', key: '' },
  ]);
});
