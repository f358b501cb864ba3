// The life of a question in the window, told as a story with the stand-in of the
// program behind it.
import { beforeEach, expect, test, vi } from 'vitest';
import { Story } from './story';

let story: Story;
beforeEach(async () => {
  story = await new Story().begin();
});

test('a first question begins a conversation', async () => {
  await story.writes('How long is the notice period?');
  const { chat } = story;
  expect(story.asked).toEqual({
    id: 'request-1',
    conversation: null,
    question: 'How long is the notice period?',
  });
  expect(chat.turns[0]?.phase).toBe('done');
  expect(chat.turns[0]?.text).toContain('Three months');
  expect(chat.conversation).not.toBeNull();
  expect(chat.list.title(chat.conversation)).toBe('How long is the notice period?');
  expect(chat.text).toBe('');
  await story.writes('And for others?');
  expect(story.asked['conversation']).toBe(chat.conversation);
});

test('a reloaded conversation shows the same as the live turn did', async () => {
  await story.chat.open(1);
  const turn = story.chat.turns[1];
  expect(turn?.phase).toBe('done');
  expect(turn?.prepared?.status).toBe('rewritten');
  expect(turn?.packed.map((hit) => hit.n)).toEqual([1, 2, 3, 4]);
  expect(story.chat.evidence.considered).toEqual({
    floor: 31,
    budget: 12,
    duplicates: 3,
    restricted: 0,
    total: 46,
  });
});

test('Stop ends the turn, stores nothing and gives the question back', async () => {
  await story.chat.open(2);
  const asking = story.writes('And who signed that off?');
  await vi.waitFor(() => expect(story.chat.running?.text).toContain('balancing report'));
  expect(story.chat.running?.phase).toBe('answering');
  await story.chat.stop();
  await asking;
  expect(story.chat.turns.at(-1)?.phase).toBe('stopped');
  expect(story.chat.text).toBe('And who signed that off?');
  expect(story.said).toContain('Stopped');
});

test('what was typed meanwhile is not overwritten by the returned question', async () => {
  await story.chat.open(2);
  const asking = story.writes('And who signed that off?');
  await vi.waitFor(() => expect(story.chat.running?.text).not.toBe(''));
  story.chat.write('Something new');
  await story.chat.stop();
  await asking;
  expect(story.chat.text).toBe('Something new');
});

test('the policy stop offers retry, the own words once, and the own words always', async () => {
  story = await new Story({ stopPolicy: true }).begin();
  const { chat } = story;
  await chat.open(2);
  await story.writes('And who signed that off?');
  const stopped = chat.turns.at(-1);
  expect(stopped?.failure?.code).toBe('condense_failed');
  expect(chat.text).toBe('And who signed that off?');
  if (!stopped) throw new Error('no turn');

  await chat.again(stopped);
  expect(chat.turns.filter((t) => t.question === 'And who signed that off?')).toHaveLength(1);
  const again = chat.turns.at(-1);
  if (!again) throw new Error('no turn');

  await chat.alwaysOwnWords(again);
  expect(story.mock.called('SetSetting')).toEqual([['condense.on_failure', 'verbatim']]);
  expect(story.asked['own_words']).toBe(true);
  expect(chat.turns.at(-1)?.prepared?.status).toBe('user_words');
  expect(chat.text).toBe('');
});

test('an edited search text is searched, and the question stays the person’s', async () => {
  await story.chat.open(1);
  const turn = story.chat.turns[1];
  if (!turn) throw new Error('no turn');
  await story.chat.again(turn, { edited_query: 'notice period, tenants of 65' });
  expect(story.asked).toMatchObject({
    question: 'And how long is it for tenants over 65?',
    edited_query: 'notice period, tenants of 65',
  });
  expect(story.chat.turns.at(-1)?.prepared?.status).toBe('user_edited');
});

test('a question asked meanwhile waits, and is asked when the answer is there', async () => {
  const first = story.writes('First?');
  await story.writes('Second?');
  expect(story.chat.queued).toBe('Second?');
  await first;
  expect(story.chat.queued).toBeNull();
  expect(story.chat.turns.map((t) => t.question)).toEqual(['First?', 'Second?']);
});

test('a waiting question comes back when the running one is stopped', async () => {
  await story.chat.open(2);
  const asking = story.writes('And who signed that off?');
  await vi.waitFor(() => expect(story.chat.running?.text).not.toBe(''));
  await story.writes('Next?');
  await story.chat.stop();
  await asking;
  expect(story.chat.queued).toBeNull();
  expect(story.chat.text).toBe('Next?\nAnd who signed that off?');
});

test('an error without an event ends the turn with its sentence', async () => {
  story.mock.failures.set('Ask', {
    code: 'unknown_chat_engine',
    message: 'There is no engine x.',
    hint: 'Choose simple.',
  });
  await story.writes('Hello?');
  expect(story.chat.turns[0]?.failure).toMatchObject({
    message: 'There is no engine x.',
    hint: 'Choose simple.',
  });
  expect(story.chat.text).toBe('Hello?');
});

test('drafts are kept for each conversation', async () => {
  story.chat.write('half a ques');
  await story.chat.open(1);
  expect(story.chat.text).toBe('');
  await story.chat.begin();
  expect(story.chat.text).toBe('half a ques');
});

test('engine, mode and place go with the question, each conversation for itself', async () => {
  const { chat } = story;
  chat.options.useSettings(story.mock.settings);
  await chat.open(1);
  chat.options.set({ engine: 'simple', collection: 'Tenancy law' });
  await story.writes('X?');
  expect(story.asked).toMatchObject({
    engine: 'simple',
    scope: { collections: ['Tenancy law'], path_under: '' },
  });
  await chat.open(2);
  expect(chat.options.engine).toBe('condense_context');
  await story.writes('Y?');
  expect(story.asked).not.toHaveProperty('engine');
});

test('a deleted conversation comes back by undo', async () => {
  const { list } = story.chat;
  await list.remove(3);
  expect(list.all.some((c) => c.id === 3)).toBe(false);
  expect(await list.undo()).toBe(3);
  expect(list.all.some((c) => c.id === 3)).toBe(true);
});

test('renaming keeps the title when it is left empty', async () => {
  const { list } = story.chat;
  await list.rename(3, '   ');
  expect(story.mock.called('RenameConversation')).toEqual([]);
  await list.rename(3, ' Deposits ');
  expect(list.title(3)).toBe('Deposits');
});

test('a screen reader hears sentences, not tokens', async () => {
  await story.writes('How long?');
  expect(story.said).toEqual(['Searching', 'Answer started', 'Answer finished. Supported, 1 citation.']);
});

test('the last event may come after the call has ended', async () => {
  const { mock, chat } = story;
  mock.Ask = async () => undefined;
  const asking = story.writes('Late?');
  await vi.waitFor(() => expect(mock.called('Ask')).toHaveLength(1));
  await Promise.resolve();
  expect(chat.turns[0]?.running).toBe(true);
  mock.emit('turn', {
    id: 'request-1',
    events: [{ event: 'error', code: 'no_model', reason: null, message: 'No model.', hint: null }],
  });
  await asking;
  expect(chat.turns[0]?.failure?.message).toBe('No model.');
});

test('a turn whose end never comes does not run for ever', async () => {
  vi.useFakeTimers();
  story.mock.Ask = async () => undefined;
  const asking = story.writes('Lost?');
  await vi.advanceTimersByTimeAsync(5000);
  vi.useRealTimers();
  await asking;
  expect(story.chat.turns[0]?.failure?.message).toBe('The answer ended without a result.');
  expect(story.chat.text).toBe('Lost?');
});

test('a turn is answered again from its passages, searched again, or asked differently', async () => {
  const { chat } = story;
  await chat.open(1);
  const [, turn] = chat.turns;
  if (!turn) throw new Error('no turn');
  const id = turn.done?.turn;
  await chat.again(turn, { same_evidence: true });
  expect(story.asked).toMatchObject({ again: id, same_evidence: true, question: turn.question });
  await chat.again(turn);
  expect(story.asked).toMatchObject({ again: id, question: turn.question });
  expect(story.asked).not.toHaveProperty('same_evidence');
  await chat.askInstead(turn, 'And for tenants under 65?');
  expect(story.asked).toMatchObject({ again: id, question: 'And for tenants under 65?' });
  expect(chat.turns).toHaveLength(5);
});

test('a branch is a copy that ends with the turn and is opened', async () => {
  const { chat, mock } = story;
  await chat.open(1);
  const [first] = chat.turns;
  if (!first) throw new Error('no turn');
  await chat.branch(first);
  expect(mock.called('BranchConversation')).toEqual([[1, mock.turns.get(1)?.[0]?.ordinal]]);
  expect(chat.conversation).not.toBe(1);
  expect(chat.turns.map((turn) => turn.question)).toEqual([first.question]);
  expect(story.said).toContain('The copy is open');
});

test('a pinned conversation leads the list', async () => {
  const { list } = story.chat;
  await list.pin(7, true);
  expect(list.all.find((c) => c.id === 7)?.pinned).toBe(true);
  story.mock.failures.set('PinConversation', { code: 'storage_failed', message: 'The disk is full.' });
  await list.pin(8, true);
  expect(list.problem).toContain('The disk is full.');
  expect(list.all.find((c) => c.id === 8)?.pinned).toBe(false);
});

test('a conversation is saved as Markdown with its sources, or as JSON', async () => {
  const { chat, mock } = story;
  await chat.open(1);
  await chat.export('markdown');
  const [name, text] = mock.called('SaveText')[0] ?? [];
  expect(name).toBe('Notice period, open-ended lease.md');
  expect(text).toMatch(/^# Notice period, open-ended lease\n\n## /);
  expect(text).toMatch(/\nSources\n\n- \[1\] Residential tenancy handbook/);
  expect(story.said).toContain('Saved as /home/ada/Notice period, open-ended lease.md');
  await chat.export('json');
  const [, json] = mock.called('SaveText')[1] ?? [];
  const back = JSON.parse(String(json)) as { conversation: { id: number }; turns: unknown[] };
  expect([back.conversation.id, back.turns.length]).toEqual([1, 2]);
});

test('a passage is pinned for the questions to come', async () => {
  const { chat, mock } = story;
  await chat.open(1);
  const hit = chat.evidence.packed[1];
  if (!hit) throw new Error('no passage');
  const before = chat.evidence.isPinned(hit);
  await chat.holds.pin(hit);
  expect(mock.called('Pin')).toEqual([[hit.chunk, !before]]);
  expect(chat.evidence.isPinned(hit)).toBe(!before);
});

test('what is chosen for a conversation is stored and comes back', async () => {
  const { chat, mock } = story;
  chat.options.useSettings(mock.settings);
  await chat.open(1);
  chat.options.set({ engine: 'simple', folder: '/home/ada/Documents' });
  chat.options.set({ history: 4 });
  await chat.options.saved();
  expect(mock.called('SetConversationOptions').at(-1)).toEqual([
    1,
    { engine: 'simple', mode: '', history: 4, scope: { collections: [], path_under: '/home/ada/Documents' } },
  ]);
  const again = new Story();
  again.mock.conversations = mock.conversations.map((c) =>
    c.id === 1 && c.options
      ? {
          ...c,
          options: { ...c.options, scope: { collections: ['A', 'B'], path_under: '', types: ['pdf'] } },
        }
      : c,
  );
  await again.chat.open(1);
  expect(again.chat.options.choice).toMatchObject({
    engine: 'simple',
    mode: null,
    history: 4,
    collection: 'A',
  });
  expect(again.chat.options.request().scope).toEqual({
    collections: ['A', 'B'],
    path_under: '',
    types: ['pdf'],
  });
  again.chat.options.set({ collection: null });
  expect(again.chat.options.request().scope).toEqual({ collections: [], path_under: '', types: ['pdf'] });
});

test('what was chosen before the first question goes with the new conversation', async () => {
  const { chat, mock } = story;
  chat.options.set({ mode: 'quote' });
  expect(mock.called('SetConversationOptions')).toEqual([]);
  await story.writes('How long is the notice period?');
  await chat.options.saved();
  expect(mock.called('SetConversationOptions')).toEqual([
    [
      chat.conversation,
      { engine: '', mode: 'quote', history: null, scope: { collections: [], path_under: '' } },
    ],
  ]);
});
