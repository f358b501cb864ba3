import { expect, test } from 'vitest';
import { zoomAsked, zooms } from './zoom';

const key = (key: string, more = {}) => ({ key, ctrlKey: true, metaKey: false, altKey: false, ...more });

test('the keys go through the sizes one by one and stop at both ends', () => {
  let now = 100;
  const seen: number[] = [];
  for (let i = 0; i < 7; i++) seen.push((now = zoomAsked(key('+'), now) ?? 0));
  expect(seen).toEqual([110, 125, 150, 175, 200, 200, 200]);
  for (let i = 0; i < zooms.length; i++) now = zoomAsked(key('-'), now) ?? 0;
  expect(now).toBe(80);
  expect(zoomAsked(key('0'), now)).toBe(100);
});

test('a size between two of them goes on to the next', () => {
  expect(zoomAsked(key('='), 103)).toBe(110);
  expect(zoomAsked(key('-'), 103)).toBe(100);
});

test('other keys ask for nothing', () => {
  expect(zoomAsked(key('+', { ctrlKey: false }), 100)).toBeNull();
  expect(zoomAsked(key('-', { altKey: true }), 100)).toBeNull();
  expect(zoomAsked(key('1'), 100)).toBeNull();
});
