import { render, screen } from '@testing-library/svelte';
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
