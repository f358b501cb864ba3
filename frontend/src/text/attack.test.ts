// Answers and documents as an attacker would write them, on the page itself: all
// of it is words, nothing loads, nothing runs and nothing leads away.
import { render } from '@testing-library/svelte';
import { expect, test, vi } from 'vitest';
import Markdown from './Markdown.svelte';
import { MarkdownStream } from './stream.svelte';

const hostile = {
  script: '<script>window.pwned = 1</script>\n\n<SCRIPT SRC=https://evil.example/x.js></SCRIPT>',
  handlers:
    '<img src=x onerror="window.pwned=1"> <svg/onload=window.pwned=1> <details open ontoggle=window.pwned=1>',
  frames:
    '<iframe srcdoc="<script>1</script>"></iframe><object data=x></object><embed src=x><base href=//evil.example/>',
  styles:
    '<style>@import "https://evil.example/x.css"</style><link rel=stylesheet href=//evil.example/x.css>',
  links: '[a](javascript:pwned) [b](data:text/html,x) <javascript:1> [c](vbscript:x) [d](file:///etc/passwd)',
  pictures:
    '![p](https://evil.example/p.png) ![q](data:image/svg+xml,<svg/onload=1>) ![r](//evil.example/r.png)',
  inTable:
    '| <img src=x onerror=1> | ![t](https://evil.example/t.png) |\n|---|---|\n| [x](javascript:1) | <b onclick=1>b</b> |',
  inCode: '```html onload=1\n<script>window.pwned = 1</script>\n```\n\n`<img src=x onerror=1>`',
  clobbering: '<form id=location><input name=href></form><a id=app name=go></a>',
};

function show(source: string): HTMLElement {
  const stream = new MarkdownStream();
  stream.set(source);
  return render(Markdown, { stream, onlink: vi.fn() }).container;
}

test.each(Object.entries(hostile))('%s', (_name, source) => {
  const page = show(source);
  expect(
    page.querySelectorAll(
      'script, img, svg, iframe, object, embed, style, link, base, form, input, details, a, video, audio, meta',
    ),
  ).toHaveLength(0);
  for (const element of page.querySelectorAll('*')) {
    for (const { name, value } of element.attributes) {
      expect(name).not.toMatch(/^(on|src|href|srcset|srcdoc|action|formaction|poster|background|id|name)/);
      expect(value).not.toMatch(/javascript:|vbscript:|data:|url\(/i);
    }
  }
  expect('pwned' in window).toBe(false);
  expect(page.textContent?.trim()).not.toBe('');
});

test('signs that reorder what follows are spelled out', () => {
  const page = show('invoice\u202egnp.exe\u202c and `\u202dcode` and [x\u202e](https://a.example)');
  expect(page.textContent).not.toMatch(/[\u202a-\u202e]/);
  expect(page.textContent).toContain('⟨U+202E⟩');
});

test('lists and quotes within each other without end lose no words', () => {
  for (const source of [
    Array.from({ length: 2000 }, (_, i) => `${'  '.repeat(i % 400)}- deep ${i}`).join('\n'),
    `${'> '.repeat(5000)}deep`,
    `${'['.repeat(5000)}deep${'](https://a.example)'.repeat(5000)}`,
    `${'**'.repeat(5000)}deep`,
  ]) {
    const page = show(source).textContent ?? '';
    expect(page.match(/deep/g)).toHaveLength(source.match(/deep/g)?.length ?? 0);
  }
});

test('a line of a million characters loses nothing', () => {
  const line = `${'<b>&amp;'.repeat(125_000)} end`;
  expect(show(line).textContent).toBe(line);
});
