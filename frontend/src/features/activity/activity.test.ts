import { render, screen, waitFor } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { MockWindow } from '../../../e2e/mock/window';
import { connect } from '../../api';
import { ActivityModel } from './activity.svelte';
import ActivityDialog from './ActivityDialog.svelte';

async function open(
  page: 'turns' | 'connections' | 'programs',
  change: (mock: MockWindow) => void = () => {},
) {
  const mock = new MockWindow();
  change(mock);
  const activity = new ActivityModel(connect(mock.host()));
  await activity.show(page);
  const onconversation = vi.fn();
  render(ActivityDialog, { activity, open: true, onconversation, onclose: vi.fn() });
  await screen.findByRole('dialog', { name: 'Activity' });
  return { mock, activity, onconversation, user: userEvent.setup() };
}
const rows = () => screen.getAllByRole('row').map((row) => row.textContent?.replaceAll('\u00a0', ' '));

test('failed turns stand beside answered ones and can be seen alone', async () => {
  const { user, onconversation } = await open('turns');
  expect(rows()).toHaveLength(3);
  expect(rows()[1]).toContain('no answer, the rewrite failed: timeout2.00 s');
  await user.click(screen.getAllByRole('button', { name: /^today/ })[0] as HTMLElement);
  expect(onconversation).toHaveBeenCalledWith(1);
  await user.click(screen.getByRole('switch', { name: 'Only without an answer' }));
  expect(rows()).toHaveLength(2);
});

test('connections are listed with what went out and came in', async () => {
  await open('connections', (mock) => {
    mock.connections = [
      {
        purpose: 'model download',
        host: 'models.example:443',
        started: '2026-01-02T10:00:00Z',
        ended: null,
        sent: 1500,
        received: 8_990_000_000,
      },
    ];
  });
  expect(rows()[1]).toBe('Open nowmodel downloadmodels.example:4431.5 kB8.99 GB');
});

test('nothing to list is a sentence, and so is a failure', async () => {
  const { mock, activity, user } = await open('connections');
  expect(screen.getByText('Nothing was connected to.')).toBeTruthy();
  await user.click(screen.getByRole('radio', { name: 'Other programs' }));
  expect(await screen.findByText('No other program asked for anything.')).toBeTruthy();
  mock.failures.set('Runs', { code: 'storage_failed', message: 'The disk is full.' });
  await activity.show('turns');
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('The disk is full.'));
});
