// Typing ahead: questions that wait, and drafts, while pages are turned.
import { beforeEach, expect, test, vi } from 'vitest';
import { language } from '../../text/locale.svelte';
import { Story } from './story';

let story: Story;
beforeEach(async () => {
  language.choice = 'en';
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

test('a waiting question is not asked on another page than its own', async () => {
  const { chat } = story;
  await chat.open(1);
  const first = story.writes('First?');
  await story.writes('Second?');
  await chat.begin();
  await first;
  expect(story.mock.called('Ask')).toHaveLength(1);
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
