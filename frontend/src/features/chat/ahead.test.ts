// Typing ahead: questions that wait, and drafts, while pages are turned.
import { beforeEach, expect, test, vi } from 'vitest';
import { Story } from './story';

let story: Story;
beforeEach(async () => {
  story = await new Story().begin();
});

test('a question on a new page waits for the answer on the old one, and begins its own conversation', async () => {
  const { chat } = story;
  await chat.open(1);
  const first = story.writes('First?');
  await chat.begin();
  await story.writes('Second?');
  expect(chat.queued).toBe('Second?');
  await first;
  expect(chat.queued).toBeNull();
  expect(story.asked).toMatchObject({ question: 'Second?', conversation: null });
  expect(chat.turns.map((t) => t.question)).toEqual(['Second?']);
  expect(chat.list.title(chat.conversation)).toBe('Second?');
});

test('a waiting question is not asked on another page than its own: it is the draft of its own', async () => {
  const { chat } = story;
  await chat.open(1);
  const first = story.writes('First?');
  await story.writes('Second?');
  await chat.begin();
  await first;
  expect(story.mock.called('Ask')).toHaveLength(1);
  expect(chat.text).toBe('');
  await chat.open(1);
  expect(chat.text).toBe('Second?');
});

test('a question that comes back while another page opens joins its own draft and replaces none', async () => {
  const { chat, mock } = story;
  mock.drafts.set(2, 'written long ago');
  await chat.open(1);
  const first = story.writes('First?');
  await story.writes('Second?');
  chat.write('half a ques');
  let arrive = (): void => undefined;
  vi.spyOn(mock, 'Draft').mockImplementationOnce(
    (id) => new Promise<string>((resolve) => (arrive = () => resolve(mock.drafts.get(id) ?? ''))) as never,
  );
  const opening = chat.open(2);
  await first;
  arrive();
  await opening;
  expect(chat.text).toBe('written long ago');
  expect(Object.fromEntries(mock.drafts)).toMatchObject({
    1: 'Second?\nhalf a ques',
    2: 'written long ago',
  });
});

test('a question that is taken back while the page opens is joined to its stored draft', async () => {
  const { chat, mock } = story;
  mock.drafts.set(2, 'written long ago');
  await chat.open(1);
  const first = story.writes('First?');
  await story.writes('Second?');
  const opening = chat.open(2);
  await Promise.all([chat.takeBackQueued(), opening, first]);
  expect(chat.text).toBe('Second?\nwritten long ago');
  expect(mock.drafts.get(2)).toBe('Second?\nwritten long ago');
});

test('questions that wait on two pages are not asked as one', async () => {
  const { chat, mock } = story;
  await chat.open(1);
  const first = story.writes('First?');
  await story.writes('Second?');
  await chat.begin();
  await story.writes('Third?');
  await first;
  expect(mock.called('Ask').map(([request]) => request)).toMatchObject([
    { question: 'First?', conversation: 1 },
    { question: 'Third?', conversation: null },
  ]);
  expect(mock.drafts.get(1)).toBe('Second?');
});

test('what waits in a conversation that only begins is the draft of that one', async () => {
  const { chat, mock } = story;
  const first = story.writes('First?');
  await story.writes('Second?');
  await chat.open(2);
  await first;
  const begun = mock.conversations.find((c) => c.title === 'First?')?.id ?? 0;
  expect(mock.drafts.get(begun)).toBe('Second?');
  expect(chat.text).toBe('');
});

test('a question whose page was deleted comes back on the page that is shown', async () => {
  const { chat, mock } = story;
  await chat.open(1);
  const first = story.writes('First?');
  await story.writes('Second?');
  await chat.open(2);
  vi.spyOn(mock, 'SetDraft').mockImplementationOnce(() => {
    throw { code: 'unknown_conversation', message: 'This conversation does not exist.' };
  });
  await first;
  expect(chat.text).toBe('Second?');
});

test('what is typed at once stays when the stored draft arrives late', async () => {
  const { chat, mock } = story;
  chat.write('half a ques');
  await chat.open(1);
  let arrive = (): void => undefined;
  vi.spyOn(mock, 'Draft').mockImplementation(
    () => new Promise<string>((resolve) => (arrive = () => resolve('half a ques'))) as unknown as string,
  );
  const turned = chat.begin();
  expect(chat.text).toBe('');
  chat.write('Something else?');
  await vi.waitFor(() => expect(mock.called('Draft').length).toBeGreaterThan(2));
  arrive();
  await turned;
  expect(chat.text).toBe('Something else?');
});

test('what is typed while a conversation begins is the draft of that conversation', async () => {
  const { chat } = story;
  const asking = story.writes('First?');
  chat.write('And the sec');
  await asking;
  expect(chat.text).toBe('And the sec');
  await chat.begin();
  expect(chat.text).toBe('');
  await chat.open(story.mock.conversations[0]?.id ?? 0);
  expect(chat.text).toBe('And the sec');
});
