import { render, screen, waitFor } from '@testing-library/svelte';
import { afterEach, expect, test } from 'vitest';
import { MockWindow } from '../../e2e/mock/window';
import { connect } from '../api';
import { language } from '../text/locale.svelte';
import Shell from './Shell.svelte';

afterEach(() => {
  language.choice = 'system';
});

test('the program is told the language before it is asked, and asked anew after a change', async () => {
  const mock = new MockWindow();
  render(Shell, { backend: connect(mock.host()) });
  await screen.findByText(/Answer: Standard 7B/);
  expect(mock.called('SetLanguage')).toEqual([['en']]);
  const order = mock.calls.map((call) => call.method);
  for (const method of ['Settings', 'Models', 'WindowReady'])
    expect(order.indexOf(method)).toBeGreaterThan(order.indexOf('SetLanguage'));
  mock.calls.length = 0;
  language.choice = 'it';
  await waitFor(() => expect(mock.called('WindowReady')).toHaveLength(1));
  expect(mock.called('SetLanguage')).toEqual([['it']]);
  for (const method of ['Settings', 'Models', 'Files']) expect(mock.called(method)).toHaveLength(1);
});
