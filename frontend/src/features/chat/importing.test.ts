import { render, screen } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { MockWindow } from '../../../e2e/mock/window';
import { connect } from '../../api';
import { ChatState } from './chat.svelte';
import ChatSidebar from './ChatSidebar.svelte';
import ScopePanel from './ScopePanel.svelte';

function open() {
  const mock = new MockWindow();
  const waiting: (() => void)[] = [];
  const chat = new ChatState({
    backend: connect(mock.host()),
    announce: () => undefined,
    clock: () => 1,
    newId: () => 'id',
    later: (work) => waiting.splice(0, waiting.length, work),
  });
  return { mock, chat, waiting, user: userEvent.setup() };
}

test('an import shows what the file holds, and opens it only after a yes', async () => {
  const { mock, chat, user } = open();
  render(ChatSidebar, { chat, onnew: () => void chat.begin() });
  await user.click(screen.getByRole('button', { name: 'Import a conversation' }));
  expect((await screen.findByText(/^2.questions with 11 passages/)).textContent).toBeTruthy();
  expect(screen.getByText('And how long is it for tenants over 65?')).toBeTruthy();
  expect(mock.called('ImportConversation')).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Import' }));
  await vi.waitFor(() => expect(chat.turns).toHaveLength(2));
  expect(chat.list.title(chat.conversation)).toBe('Notice period, open-ended lease');
});

test('a file that is no conversation is refused with a sentence', async () => {
  const { mock, chat, user } = open();
  mock.failures.set('PickConversation', {
    code: 'invalid_setting',
    message: 'This file cannot be imported.',
    hint: 'Choose another one.',
  });
  render(ChatSidebar, { chat, onnew: () => void chat.begin() });
  await user.click(screen.getByRole('button', { name: 'Import a conversation' }));
  expect((await screen.findByRole('alert')).textContent).toBe(
    'This file cannot be imported. Choose another one.',
  );
  mock.failures.clear();
  mock.pickedConversation = { ...mock.pickedConversation, picked: false };
  await user.click(screen.getByRole('button', { name: 'Import a conversation' }));
  await vi.waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('what is typed is stored when the window closes or another conversation opens', async () => {
  const { mock, chat } = open();
  chat.write('half');
  expect(mock.called('SetDraft')).toEqual([]); // the pause is not over
  await chat.keepDraft();
  expect(mock.called('SetDraft')).toEqual([[0, 'half']]);
  await chat.keepDraft(); // nothing waits any more
  chat.write('half a quest');
  await chat.open(1);
  expect(mock.called('SetDraft')).toEqual([
    [0, 'half'],
    [0, 'half a quest'],
  ]);
  await chat.begin();
  expect(chat.text).toBe('half a quest');
});

test('a conversation looks in several collections and in single files', async () => {
  const { mock, chat, user } = open();
  await chat.open(1);
  const { collections, folders } = mock.library;
  render(ScopePanel, { chat, collections, folders });
  const [first, second] = collections.filter((c) => c.label === 'public');
  if (!first || !second) throw new Error('two public collections are needed');
  await user.click(screen.getByRole('checkbox', { name: first.name }));
  await user.click(screen.getByRole('checkbox', { name: second.name }));
  await user.type(screen.getByRole('searchbox', { name: 'Find a file to add' }), 'handbook');
  const add = await screen.findAllByRole('button', { name: /^Look in .*handbook/i });
  await user.click(add[0] as HTMLElement);
  const drop = await screen.findByRole('button', { name: /^No longer only in/ });
  expect(chat.options.request().scope).toMatchObject({
    collections: [first.name, second.name],
    documents: [expect.any(Number)],
  });
  expect(mock.called('SetConversationOptions').at(-1)?.[1]).toMatchObject({
    scope: { collections: [first.name, second.name], documents: [expect.any(Number)] },
  });
  await user.click(drop);
  await user.click(screen.getByRole('checkbox', { name: first.name }));
  expect(chat.options.request().scope).toMatchObject({ collections: [second.name], documents: [] });
  await user.type(screen.getByRole('searchbox', { name: 'Find a file to add' }), 'zzzz');
  expect(await screen.findByText('No file with this name.')).toBeTruthy();
});
