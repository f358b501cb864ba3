import { expect, test } from 'vitest';
import { parseMarkdown } from './markdown';
import { MarkdownStream } from './stream.svelte';

const answer = [
  'The **period** is nine months [1].',
  '- one\n- two\n  more of two\n\n  still two',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  '```\ncode\n\nwith a gap\n```',
  '> quoted [2]',
  'The end.',
].join('\n\n');

test('every prefix shows what parsing it whole would show', () => {
  const stream = new MarkdownStream();
  for (let end = 1; end <= answer.length; end++) {
    const prefix = answer.slice(0, end);
    stream.set(prefix);
    expect(stream.blocks.map((b) => b.block)).toEqual(parseMarkdown(prefix));
  }
});

test('finished blocks are the same objects, with the same keys', () => {
  const stream = new MarkdownStream('One.\n\nTwo.\n\nThr');
  const [one, two] = stream.blocks;
  stream.set('One.\n\nTwo.\n\nThree and more.');
  expect(stream.blocks[0]).toBe(one);
  expect(stream.blocks[1]).toBe(two);
  expect(stream.blocks[2]?.block).toEqual({
    type: 'paragraph',
    children: [{ type: 'text', text: 'Three and more.' }],
  });
});

test('an open code fence is already code', () => {
  const stream = new MarkdownStream('```go\nfunc main() {');
  expect(stream.blocks[0]?.block).toEqual({ type: 'code', language: 'go', text: 'func main() {' });
});

test('a text that replaces what was streamed starts afresh', () => {
  const stream = new MarkdownStream('First draft.\n\nSecond.\n\nThird.');
  stream.set('Another answer.');
  expect(stream.blocks.map((b) => b.block)).toEqual(parseMarkdown('Another answer.'));
});

test('a long answer is not parsed from its beginning at each token', () => {
  const stream = new MarkdownStream();
  const paragraph = `${'word '.repeat(40)}[1].\n\n`;
  let text = '';
  for (let i = 0; i < 200; i++) {
    text += paragraph;
    stream.set(text);
  }
  const finished = stream.blocks.slice(0, -1);
  stream.set(`${text}x`);
  expect(stream.blocks.slice(0, finished.length).every((block, i) => block === finished[i])).toBe(true);
});
