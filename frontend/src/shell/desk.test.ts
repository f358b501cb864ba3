import { expect, test, vi } from 'vitest';
import { MockWindow } from '../../e2e/mock/window';
import { connect } from '../api';
import { Desk } from './desk.svelte';
import { zoomAsked } from './zoom';

test('keys that follow each other quickly are all counted, and the last size is stored last', async () => {
  const desk = new Desk(connect(new MockWindow().host()));
  const stored: string[] = [];
  const waiting: (() => void)[] = [];
  vi.spyOn(desk.settings, 'set').mockImplementation((_, value) => {
    stored.push(value);
    return new Promise((resolve) => waiting.push(resolve));
  });
  const plus = { key: '+', ctrlKey: true, metaKey: false, altKey: false };
  for (let i = 0; i < 3; i++) void desk.setZoom(zoomAsked(plus, desk.zoom) ?? 0);
  expect(desk.zoom).toBe(150);
  expect(stored).toEqual(['110']);
  waiting.shift()?.();
  await vi.waitFor(() => expect(stored).toEqual(['110', '150']));
  waiting.shift()?.();
  await vi.waitFor(() => expect(desk.zoom).toBe(100)); // what the settings say again: here nothing was stored
});
