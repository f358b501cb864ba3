import { expect, test } from 'vitest';
import { MockWindow } from '../../e2e/mock/window';
import { connect } from './backend';
import { ApiError, toApiError } from './error';
import type { BoundMethod, Host } from './host';

function hostOf(methods: Record<string, BoundMethod>): Host {
  return {
    go: { desktop: { Window: methods } },
    runtime: { EventsOn: () => () => undefined, OnFileDrop: () => undefined, OnFileDropOff: () => undefined },
  };
}

test('a list that the host leaves out is empty', async () => {
  const none = async () => null;
  const backend = connect(
    hostOf({
      Conversations: none,
      SearchConversations: none,
      PickFiles: none,
      PickFolder: async () => '/home/ada',
      Settings: none,
      Draft: none,
      Demo: none,
      Files: async () => ({ total: 0, files: null }),
      Library: async () => ({ folders: null, collections: null, progress: {} }),
    }),
  );
  expect(await backend.conversations()).toEqual([]);
  expect(await backend.searchConversations('x')).toEqual([]);
  expect(await backend.pickFiles()).toEqual([]);
  expect(await backend.pickFolder()).toEqual(['/home/ada']);
  expect(await backend.settings()).toEqual([]);
  expect(await backend.draft(1)).toBe('');
  expect(await backend.demo()).toEqual([]);
  expect((await backend.files({ offset: 0, limit: 1 })).files).toEqual([]);
  expect((await backend.library()).folders).toEqual([]);
});

test('a rejection becomes an error with code, sentence and hint', async () => {
  const backend = connect(
    hostOf({
      Status: () =>
        Promise.reject({
          code: 'library_busy',
          message: 'The library is in use.',
          hint: 'Close the other window.',
        }),
    }),
  );
  await expect(backend.status()).rejects.toMatchObject({
    code: 'library_busy',
    sentence: 'The library is in use. Close the other window.',
  });
});

test.each([
  ['a string', 'a string'],
  [new Error('an error'), 'an error'],
  [{ message: 'm', code: 7 }, 'm'],
  [null, 'null'],
])('%o rejects with its words', (cause, sentence) => {
  expect(toApiError(cause)).toBeInstanceOf(ApiError);
  expect(toApiError(cause)).toMatchObject({ code: 'internal', sentence });
});

test('a method the host does not have is named', async () => {
  await expect(connect(hostOf({})).version()).rejects.toMatchObject({
    code: 'not_available',
    message: 'This program has no method Version.',
  });
});

test('events arrive with whole lists, and end when asked to', () => {
  const mock = new MockWindow();
  const backend = connect(mock.host());
  const seen: unknown[] = [];
  const off = backend.onTurn((batch) => seen.push(batch));
  mock.emit('turn', { id: 'a', events: [{ event: 'retrieval', hits: null, budget_tokens: 1 }] });
  off();
  mock.emit('turn', { id: 'b', events: [] });
  expect(seen).toEqual([
    { id: 'a', events: [{ event: 'retrieval', hits: [], notes: [], budget_tokens: 1 }] },
  ]);
});
