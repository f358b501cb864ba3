import { expect, test } from 'vitest';
import { leaseTurns } from '../../../e2e/mock/turns';
import { conversationFile, withoutCitations } from './exporting';

const conversation = { id: 1, title: 'A *bold* <title>', created: '', updated: '', pinned: false, turns: 2 };

test('a title or question is text, not a mark', () => {
  const [turn] = leaseTurns;
  if (!turn) throw new Error('no turn');
  const { name, text } = conversationFile(
    { conversation, turns: [{ ...turn, question: '# What\nis [this](javascript:x)?' }] },
    'markdown',
  );
  expect(name).toBe('A *bold* <title>.md');
  expect(text).toContain('# A \\*bold\\* \\<title\\>\n\n## \\# What is \\[this\\](javascript:x)?\n');
});

test('a withheld answer is its sentence alone', () => {
  const [turn] = leaseTurns;
  if (!turn) throw new Error('no turn');
  const done = { ...turn.done, answer: 'This answer is not shown any more.' };
  const { text } = conversationFile({ conversation, turns: [{ ...turn, done, withheld: true }] }, 'markdown');
  expect(text.endsWith('\n\nThis answer is not shown any more.\n')).toBe(true);
  expect(text).not.toContain('Sources');
});

test.each([
  ['Three months [1].', 'Three months.'],
  ['Both [1, 2] and [13] hold.', 'Both and hold.'],
  ['Section [a] stays [2]', 'Section [a] stays'],
])('%s without citations', (answer, want) => {
  expect(withoutCitations(answer)).toBe(want);
});
