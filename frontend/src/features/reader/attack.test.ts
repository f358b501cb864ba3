// Documents as an attacker would write them, in every form that the reader has
// for text.
import { render } from '@testing-library/svelte';
import { expect, test, vi } from 'vitest';
import { MockWindow } from '../../../e2e/mock/window';
import { connect } from '../../api';
import { ReaderModel } from './reader.svelte';
import ReaderView from './ReaderView.svelte';

const words = [
  '<script>window.pwned = 1</script>',
  '<img src=https://evil.example/x.png onerror="window.pwned = 1">',
  '[a link](javascript:window.pwned=1) and https://evil.example/',
  'file\u202egnp.exe\u202c',
];
const texts: Record<string, string> = {
  text: words.join('\n\n'),
  markdown: words.join('\n\n'),
  html: words.join('\n\n'),
  code: words.join('\n'),
  notebook: words.join('\n\n'),
  email: `Subject <b>\n\nFrom: ${words[0]}\nTo: ${words[1]}\n\n${words.join('\n\n')}`,
  csv: `Name | Value\n${words.map((word) => `${word} | ${word}`).join('\n')}`,
  xlsx: `Name | Value\n${words.map((word) => `${word} | ${word}`).join('\n')}`,
  image: words.join('\n\n'),
  pdf: words.join('\n\n'),
};

async function show(kind: string, text: string, title = '') {
  const mock = new MockWindow();
  mock.DocumentText = () => ({ title, path: '', text, kind, pages: 0 }) as never;
  const reader = new ReaderModel(connect(mock.host()));
  await reader.show({ document: 1, path: `/x/${title || 'a'}`, title, locator: {}, n: null, passages: [] });
  await reader.find('script');
  reader.finder.open = true;
  const { container } = render(ReaderView, {
    reader,
    holds: { classOf: () => 'fact', isPinned: () => false, classify: vi.fn(), pin: vi.fn() },
    onclose: vi.fn(),
    onexternal: vi.fn(),
    onreveal: vi.fn(),
  });
  return container;
}

test.each(Object.entries(texts))('a document of kind %s is words and nothing else', async (kind, text) => {
  const page = await show(kind, text);
  const body = page.querySelector('.body');
  expect(
    body?.querySelectorAll('script, img, iframe, object, embed, a, form, style, link, base'),
  ).toHaveLength(0);
  expect(body?.textContent).toContain('<script>window.pwned = 1</script>');
  expect(body?.textContent).not.toMatch(/[\u202a-\u202e]/);
  expect('pwned' in window).toBe(false);
});

test('a hostile name is a name', async () => {
  const page = await show('text', 'Words.', '<img src=x onerror=1>\u202egnp.exe');
  expect(page.querySelectorAll('img')).toHaveLength(0);
  expect(page.querySelector('h2')?.textContent).toContain('⟨U+202E⟩');
});
